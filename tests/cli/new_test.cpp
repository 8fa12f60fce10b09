// `ladder new` creates a rung that works as it is, or nothing at all.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/error.hpp"
#include "base/output.hpp"
#include "harness/record/kernel_header.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class New : public testing::Test {
 protected:
  Installation on;

  void SetUp() override { on.copy_variants({"serial", "opencl"}); }

  [[nodiscard]] ProcessResult make(const std::string& id, const std::string& parent) const {
    return on.ladder({"new", id, "--from", parent});
  }

  void expect_refused(const Words& words, const Words& parts) const {
    const auto before = on.work().listing();
    const std::string build = on.work().read("variants/d2q9/opencl/CMakeLists.txt");
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
    EXPECT_EQ(on.work().read("variants/d2q9/opencl/CMakeLists.txt"), build);
  }

  void expect_refused(const std::string& id, const std::string& parent, const Words& parts) const {
    expect_refused({"new", id, "--from", parent}, parts);
  }
};

TEST_F(New, HasHelp) {
  const ProcessResult help = on.ladder({"new", "--help"});
  EXPECT_EQ(help.code, exit_ok);
  EXPECT_TRUE(contains(help.out, "--from"));
}

TEST_F(New, CopiesTheParentAndFollowsIt) {
  const ProcessResult result = make("d2q9/opencl/70_mine", "d2q9/opencl/05_soa");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const std::string parent = "variants/d2q9/opencl/05_soa/";
  const std::string mine = "variants/d2q9/opencl/70_mine/";
  const std::string host = on.work().read(mine + "host.cpp");
  EXPECT_TRUE(contains(host, ".follows = \"d2q9/opencl/05_soa\""));
  EXPECT_EQ(lines(host).size(), lines(on.work().read(parent + "host.cpp")).size());

  const std::string kernel = on.work().read(mine + "kernel.cl");
  const std::string copied = on.work().read(parent + "kernel.cl");
  EXPECT_EQ(kernel.substr(kernel.find("// Layout:")), copied.substr(copied.find("// Layout:")));
  EXPECT_TRUE(contains(parse_kernel_header(kernel).idea, "d2q9/opencl/05_soa"));

  const auto build = lines(on.work().read("variants/d2q9/opencl/CMakeLists.txt"));
  EXPECT_EQ(build.back(), "ladder_add_rung(d2q9/opencl/70_mine FLAGS ${fast} LINK d2q9_opencl)");
  for (const std::string part : {"check d2q9/opencl/70_mine", "compare d2q9/opencl/05_soa d2q9/opencl/70_mine", "kernel.cl"})
    EXPECT_TRUE(contains(result.out, part));
}

TEST_F(New, GivesACudaRungAnIdeaOfItsOwn) {
  on.copy_variants({"cuda"});
  const ProcessResult result = make("d2q9/cuda/70_mine", "d2q9/cuda/04_soa");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "70_mine/kernel.cu"));
  const std::string kernel = on.work().read("variants/d2q9/cuda/70_mine/kernel.cu");
  EXPECT_TRUE(contains(parse_kernel_header(kernel).idea, "d2q9/cuda/04_soa"));
}

TEST_F(New, PutsTheBuildLineInOrderAndLeavesTheFlagsAxisOut) {
  ASSERT_EQ(make("d2q9/serial/40_later", "d2q9/serial/01_skeleton").code, exit_ok);
  ASSERT_EQ(make("d2q9/serial/30_between", "d2q9/serial/08_vectorized").code, exit_ok);
  const auto build = lines(on.work().read("variants/d2q9/serial/CMakeLists.txt"));
  ASSERT_GT(build.size(), 3u);
  EXPECT_EQ(build[build.size() - 2], "ladder_add_rung(d2q9/serial/30_between FLAGS ${fast})");
  EXPECT_EQ(build[build.size() - 1], "ladder_add_rung(d2q9/serial/40_later FLAGS -O3)");
}

TEST_F(New, IncludesItsOwnCopyOfAHeader) {
  ASSERT_EQ(make("d2q9/opencl/70_mine", "d2q9/opencl/01_offload").code, exit_ok);
  const std::string host = on.work().read("variants/d2q9/opencl/70_mine/host.cpp");
  EXPECT_TRUE(contains(host, "#include \"variants/d2q9/opencl/70_mine/offload.hpp\""));
  EXPECT_EQ(on.work().read("variants/d2q9/opencl/70_mine/offload.hpp"),
            on.work().read("variants/d2q9/opencl/01_offload/offload.hpp"));
}

TEST_F(New, CanStartFromEveryRung) {
  for (const std::string backend : {"serial", "opencl"}) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(on.path("variants/d2q9/" + backend)))
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
    int number = 50;
    for (const auto& name : names) {
      const std::string id = "d2q9/" + backend + "/" + std::to_string(number) + "_copy" + std::to_string(number);
      const ProcessResult result = make(id, "d2q9/" + backend + "/" + name);
      EXPECT_EQ(result.code, exit_ok) << name << ": " << result.err;
      ++number;
    }
  }
}

TEST_F(New, RefusesWhatIsNoId) {
  for (const std::string id :
       {"", "70_mine", "d2q9/70_mine", "d2q9/opencl/mine", "d2q9/opencl/2_mine", "d2q9/opencl/70-mine", "d2q9/opencl/70_",
        "d2q9/opencl/70_Mine", "d2q9/opencl/70_mine/x", "../opencl/70_mine", "d2q9/../70_mine", "/d2q9/opencl/70_mine",
        "d2q9/opencl/70_mine;touch x", "d2q9/opencl/70_mine)\nx(", "d2q9/opencl/70_$x", "d2q9/opencl/70_m\"", "d2q9//70_mine"})
    expect_refused(id, "d2q9/opencl/05_soa", {"rung '", "model/backend/NN_name"});
  expect_refused("d2q9/opencl/70_" + std::string(300, 'a'), "d2q9/opencl/05_soa", {"model/backend/NN_name"});
  expect_refused("d2q9/opencl/70_mine", "../opencl/05_soa", {"--from '../opencl/05_soa'", "model/backend/NN_name"});
  expect_refused({"new", "d2q9/opencl/70_mine"}, {"--from"});
}

TEST_F(New, RefusesAnotherLaddersId) {
  expect_refused("d2q9/serial/70_mine", "d2q9/opencl/05_soa", {"begins with d2q9/opencl/"});
  expect_refused("d3q19/opencl/70_mine", "d2q9/opencl/05_soa", {"begins with d2q9/opencl/"});
}

TEST_F(New, RefusesAnUnknownParentWithTheNearest) {
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/05_sao", {"unknown rung 'd2q9/opencl/05_sao'", "'d2q9/opencl/05_soa'"});
}

TEST_F(New, RefusesWhatIsTakenOrOutOfOrder) {
  expect_refused("d2q9/opencl/05_soa", "d2q9/opencl/04_fused", {"d2q9/opencl/05_soa already exists"});
  expect_refused("d2q9/opencl/08_mine", "d2q9/opencl/05_soa", {"number 08 is taken by 08_tuned", "the next free one is "});
  expect_refused("d2q9/opencl/70_soa", "d2q9/opencl/05_soa", {"name 'soa' is taken by 05_soa"});
  expect_refused("d2q9/opencl/00_mine", "d2q9/opencl/05_soa", {"above 05"});
}

TEST_F(New, RefusesABuildFileThatAlreadyHasTheLine) {
  const std::string file = "variants/d2q9/opencl/CMakeLists.txt";
  on.work().write(file, on.work().read(file) + "ladder_add_rung(d2q9/opencl/70_mine)\n");
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/05_soa", {file, "d2q9/opencl/70_mine"});
}

TEST_F(New, RefusesAParentThatIsNoRung) {
  on.work().write("variants/d2q9/opencl/04_fused/kernel.cl", "// no header\n");
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/04_fused", {"04_fused/kernel.cl", "header"});
  on.work().write("variants/d2q9/opencl/05_soa/host.cpp", "int main() {}\n");
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/05_soa", {"05_soa", ".follows"});
  fs::create_directory(on.path("variants/d2q9/opencl/06_masked/more"));
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/06_masked", {"06_masked/more", "not a file"});
}

TEST_F(New, LeavesNothingWhereTheTreeCannotBeWritten) {
  const OutputFolder mine(on.path("variants/d2q9/opencl"), {});
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/05_soa", {on.path("variants/d2q9/opencl"), "is writing to this folder"});
}

TEST_F(New, MakesSeveralAtOnce) {
  const auto name = [](int i) { return "7" + std::to_string(i) + "_mine" + std::to_string(i); };
  std::vector<pid_t> programs;
  for (int i = 0; i < 6; ++i)
    programs.push_back(on.start({"new", "d2q9/opencl/" + name(i), "--from", "d2q9/opencl/05_soa"}));
  for (const pid_t program : programs) {
    int status = 0;
    ASSERT_EQ(waitpid(program, &status, 0), program);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), exit_ok);
  }
  const std::string build = on.work().read("variants/d2q9/opencl/CMakeLists.txt");
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(contains(build, "ladder_add_rung(d2q9/opencl/" + name(i) + " "));
    EXPECT_TRUE(fs::exists(on.path("variants/d2q9/opencl/" + name(i) + "/kernel.cl"))) << name(i);
  }
}

TEST_F(New, FinishesWhatAKilledOneHasBegun) {
  const std::string file = "variants/d2q9/opencl/CMakeLists.txt";
  const std::string before = on.work().read(file);
  fs::create_directories(on.path("variants/d2q9/opencl/.70_mine.Ab12Cd/half"));
  ASSERT_EQ(make("d2q9/opencl/70_mine", "d2q9/opencl/05_soa").code, exit_ok);
  const std::string after = on.work().read(file);
  const auto files = on.work().listing();
  EXPECT_TRUE(fs::exists(on.path("variants/d2q9/opencl/.70_mine.Ab12Cd/half"))) << "may belong to somebody";
  // As if the program had been killed before it wrote the line.
  on.work().write(file, before);
  const ProcessResult result = make("d2q9/opencl/70_mine", "d2q9/opencl/05_soa");
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(on.work().read(file), after);
  EXPECT_EQ(on.work().listing(), files);
  // A folder that somebody has edited is not an incomplete copy.
  on.work().write(file, before);
  on.work().write("variants/d2q9/opencl/70_mine/host.cpp", "// mine\n");
  expect_refused("d2q9/opencl/70_mine", "d2q9/opencl/05_soa",
                 {"70_mine: exists already, has no line in", "not an unchanged copy"});
  EXPECT_EQ(on.work().read("variants/d2q9/opencl/70_mine/host.cpp"), "// mine\n");
}

TEST_F(New, SaysSoWhereThereIsNoSourceTree) {
  fs::remove_all(on.path("variants"));
  const ProcessResult result = make("d2q9/opencl/70_mine", "d2q9/opencl/05_soa");
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, on.path("variants") + ": no such folder"));
  EXPECT_EQ(on.work().listing(), Words{});
}

}  // namespace
}  // namespace ladder::test
