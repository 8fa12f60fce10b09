#include "harness/run/sass.hpp"

#include <gtest/gtest.h>

#include "harness/run/kernel_name.hpp"

namespace ladder {
namespace {

using Names = std::vector<std::string>;

constexpr const char* two_sass_kernels = R"sass(
Fatbin elf code:
================
arch = sm_90
code version = [1,8]
host = linux
compile_size = 64bit
compressed

	code for sm_90
	.target	sm_90

		Function : _ZN5d3q1941_GLOBAL__N__674dc90c_9_kernel_cu_edc959db6updateIdEEvNS_4StepIT_EE
	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                         /* 0x00000a00ff017b82 */
                                                                                  /* 0x000fe20000000800 */
        /*0010*/                   ISETP.GE.U32.AND P0, PT, R5, UR4, PT ;         /* 0x0000000405007c0c */
                                                                                  /* 0x000fda000bf06070 */
        /*0020*/               @P0 EXIT ;                                         /* 0x000000000000094d */
                                                                                  /* 0x000fea0003800000 */
        /*0030*/                   NOP ;                                          /* 0x0000000000007918 */
                                                                                  /* 0x000fc00000000000 */
        /*0040*/             @!UPT UIADD3 URZ, URZ, URZ, URZ ;                    /* 0x0000003f3f3ff290 */
                                                                                  /* 0x000fe2000fffe03f */
        /*0050*/              @!P6 BRA 0x10 ;                                     /* 0x0000000000ece947 */
                                                                                  /* 0x000fec0003800000 */
        /*0060*/                   EXIT ;                                         /* 0x000000000000794d */
                                                                                  /* 0x000fea0003800000 */
        /*0070*/                   BRA 0x70;                                      /* 0xfffffffc00fc7947 */
                                                                                  /* 0x000fc0000383ffff */
        /*0080*/                   NOP;                                           /* 0x0000000000007918 */
                                                                                  /* 0x000fc00000000000 */
        /*0090*/                   NOP;                                           /* 0x0000000000007918 */
                                                                                  /* 0x000fc00000000000 */
		..........


		Function : _ZN5d3q194fillIfEEvNS_9AnyPlacesIT_EEPKjj
	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   EXIT ;                                         /* 0x000000000000794d */
                                                                                  /* 0x000fea0003800000 */
        /*0010*/                   BRA 0x0;                                       /* 0xfffffffc00fc7947 */
                                                                                  /* 0x000fc0000383ffff */
		..........



Fatbin ptx code:
================
arch = sm_90
code version = [9,0]
host = linux
compile_size = 64bit
compressed
ptxasOptions =
)sass";

SassKernel kernel(const std::string& name, const Names& instructions = {}, const std::string& architecture = "sm_90") {
  return {.name = name, .architecture = architecture, .instructions = instructions};
}

TEST(Sass, IsReadFromWhatCuobjdumpPrints) {
  const auto kernels = parse_sass(two_sass_kernels);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "d3q19::update<double>");
  EXPECT_EQ(kernels[0].architecture, "sm_90");
  EXPECT_EQ(kernels[0].instructions, (Names{"LDC R1, c[0x0][0x28]", "ISETP.GE.U32.AND P0, PT, R5, UR4, PT", "@P0 EXIT", "NOP",
                                            "@!UPT UIADD3 URZ, URZ, URZ, URZ", "@!P6 BRA 0x10", "EXIT"}))
      << "without the padding, but with NOPs before it";
  EXPECT_EQ(kernels[1].name, "d3q19::fill<float>");
  EXPECT_EQ(kernels[1].instructions, (Names{"EXIT", "BRA 0x0"})) << "a jump elsewhere is not padding";
  EXPECT_TRUE(parse_sass("cuobjdump info    : File 'program' does not contain device code\n").empty());
  EXPECT_TRUE(parse_sass("        /*0000*/  EXIT ;  /* 0x000000000000794d */\n").empty()) << "of no kernel";
}

TEST(Sass, IsComparedByOpcode) {
  const SassKernel rung =
      kernel("f", {"ISETP.NE.AND P0, PT, R1, RZ, PT", "@P0 EXIT", "LOP3.LUT R1, R1, R2, RZ, 0x3c, !PT", "EXIT"});
  const SassKernel parent =
      kernel("f", {"@!P1 ISETP.NE.AND P1, PT, R2, RZ, PT", "EXIT", "@P0 IADD3 R1, R1, R2, RZ", "@!UPT EXIT"});
  const auto differences = SassPair{&rung, &parent}.differences();
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].opcode, "IADD3");
  EXPECT_EQ(differences[0].rung, 0);
  EXPECT_EQ(differences[0].parent, 1);
  EXPECT_EQ(differences[1].opcode, "LOP3.LUT");
  EXPECT_EQ(differences[1].rung, 1);
  EXPECT_EQ(differences[1].parent, 0);
  EXPECT_TRUE((SassPair{&rung, nullptr}.differences().empty()));
}

TEST(Sass, IsPairedByNameAndArchitecture) {
  const std::vector<SassKernel> rung = {kernel("a::f<float>"), kernel("b::f<float>"), kernel("a::f<double>"),
                                        kernel("a::g<a::Wide>"), kernel("h", {}, "sm_80")};
  const std::vector<SassKernel> parent = {kernel("b::f<float>"), kernel("c::g<a::Wide>"), kernel("h"), kernel("c::f<double>")};
  std::vector<std::pair<std::string, std::string>> names;
  for (const SassPair& pair : paired(rung, parent))
    names.emplace_back(pair.rung == nullptr ? "" : pair.rung->name, pair.parent == nullptr ? "" : pair.parent->name);
  EXPECT_EQ(names, (decltype(names){{"a::f<float>", ""},
                                    {"b::f<float>", "b::f<float>"},
                                    {"a::f<double>", "c::f<double>"},
                                    {"a::g<a::Wide>", "c::g<a::Wide>"},
                                    {"h", ""},
                                    {"", "h"}}));
}

TEST(KernelName, OmitsParametersButKeepsTemplateArguments) {
  EXPECT_EQ(kernel_name("_Z6updateIfL5Color1EEvPT_"), "update<float, (Color)1>");
  EXPECT_EQ(kernel_name("_ZN5d2q3712_GLOBAL__N_111update_rowsIdEEvPKT_PS2_i$_omp_fn$0"), "d2q37::update_rows<double>");
  EXPECT_EQ(kernel_name("plain"), "plain");
}

}  // namespace
}  // namespace ladder
