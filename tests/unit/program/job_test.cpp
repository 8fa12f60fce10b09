#include "harness/run/job.hpp"

#include <gtest/gtest.h>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

Study placed(const std::vector<std::string>& of_rungs, const std::vector<std::string>& of_ceilings = {""}) {
  Study study;
  study.name = "two";
  study.matrix.emplace_back().placements = of_rungs;
  study.ceilings.emplace_back().placements = of_ceilings;
  return study;
}

TEST(JobScript, AsksForAsManyNodesAndProcessesAsTheLargestPlacementNeeds) {
  const std::string one = job_script(placed({""}), {.root = "/a", .study = "two"});
  EXPECT_TRUE(contains(one, "#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n")) << one;
  const std::string some =
      job_script(placed({"processes=3;threads=2", "nodes=2;processes=5;threads=1..4"}, {"nodes=3;processes=3"}),
                 {.root = "/a", .study = "two"});
  EXPECT_TRUE(contains(some, "#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=3\n")) << some;
}

TEST(JobScript, RunsTheStudyInItsFolderWhateverTheNamesAre) {
  const std::string script =
      job_script(placed({""}), {.root = "/a folder/it's", .study = "/x y/study.toml", .machine = "here"});
  EXPECT_TRUE(contains(script, "#SBATCH --job-name=\"ladder-two\"\n"));
  EXPECT_TRUE(contains(script, "\ncd '/a folder/it'\\''s' || exit 2\n")) << script;
  EXPECT_TRUE(contains(script, "\nexec ./ladder run '/x y/study.toml' --machine 'here'\n")) << script;
}

TEST(JobScript, RefusesNamesThatWouldForgeItsLines) {
  Study study = placed({""});
  const auto why = [&](const Job& job) { return input_error([&] { job_script(study, job); }); };
  EXPECT_TRUE(contains(why({.root = "/a", .study = "/x\n#SBATCH --wrap/study.toml"}), "without control characters"));
  EXPECT_TRUE(contains(why({.root = "/a\nb", .study = "two"}), "without control characters"));
  EXPECT_TRUE(contains(why({.root = "/a", .study = "two", .machine = "A b;c"}), "machine name 'A b;c'"));
  study.name = "x\n#SBATCH --wrap=id";
  EXPECT_TRUE(contains(why({.root = "/a", .study = "two"}), "no control characters"));
  study.name = "q\"x $(id)";
  const std::string script = job_script(study, {.root = "/a", .study = "two"});
  EXPECT_TRUE(contains(script, "#SBATCH --job-name=\"ladder-q-x-id")) << script;
}

TEST(JobScript, IsNeverWrittenOverAnotherFile) {
  const test::Folder folder;
  write_job(folder.path() / "job", "one");
  EXPECT_EQ(folder.read("job"), "one");
  EXPECT_TRUE(
      contains(input_error([&] { write_job(folder.path() / "job", "two"); }), "accepted is a file that does not exist"));
  EXPECT_EQ(folder.read("job"), "one");
  EXPECT_TRUE(contains(input_error([&] { write_job(folder.path() / "no/job", "two"); }), "No such file"));
}

}  // namespace
}  // namespace ladder
