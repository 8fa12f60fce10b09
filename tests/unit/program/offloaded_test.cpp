#include "harness/run/offloaded.hpp"

#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

constexpr const char* two_kernels =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_ZN5d2q3712_GLOBAL__N_111update_rowsIdEEvPKT_PS2_i$_omp_fn$0' for 'sm_90'\n"
    "ptxas info    : Function properties for _ZN5d2q3712_GLOBAL__N_111update_rowsIdEEvPKT_PS2_i$_omp_fn$0\n"
    "    304 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Used 172 registers, used 1 barriers\n"
    "ptxas info    : Compiling entry function 'main$_omp_fn$0' for 'sm_90'\n"
    "ptxas info    : Function properties for main$_omp_fn$0\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 28 registers, used 1 barriers\n"
    "ptxas info    : Function properties for helper\n"
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n";

TEST(OffloadedKernels, AreReadFromWhatPtxasPrints) {
  const auto kernels = parse_ptxas(two_kernels);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "d2q37::update_rows<double>");
  EXPECT_EQ(kernels[0].registers, 172);
  EXPECT_EQ(kernels[0].stack_bytes, 304);
  EXPECT_EQ(kernels[0].spilled_bytes, 12);
  EXPECT_EQ(kernels[1].name, "main$_omp_fn$0");
  EXPECT_EQ(kernels[1].registers, 28);
  EXPECT_EQ(kernels[1].stack_bytes, 0) << "functions that are not kernels do not count";
  EXPECT_EQ(kernels[1].spilled_bytes, 0);
}

TEST(OffloadedKernels, AreNoneInAnExecutableWithoutPtx) {
  const test::Folder folder;
  const OffloadedKernels none = offloaded_kernels(folder.write("program", "no kernels"), "sm_90");
  EXPECT_TRUE(none.kernels.empty());
  EXPECT_EQ(none.why_not, "");
}

}  // namespace
}  // namespace ladder
