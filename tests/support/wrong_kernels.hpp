#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/process.hpp"

/// Wrong kernels: rung-like executables in the folder LADDER_MUTANTS, with the names LADDER_MUTANT_NAMES.
namespace ladder::test {

/// A wrong kernel, and a regular expression for the message of its check.
struct Mutant {
  const char* name;
  const char* reason;
  const char* case_name = "box-64x48";
  std::vector<std::string> precisions = {"f32", "f64"};
};

inline void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

/// Expects the check to reject the kernel for the expected reason. Skipped if the kernel cannot run here.
inline void expect_caught(const Mutant& mutant) {
  for (const std::string& precision : mutant.precisions) {
    const ProcessResult result = run_process(std::filesystem::path(LADDER_MUTANTS) / mutant.name,
                                             {"check", "--case", mutant.case_name, "--precision", precision}, 120, {});
    ASSERT_EQ(result.end, ProcessResult::End::exited) << result.err;
    if (result.code == exit_unavailable) GTEST_SKIP() << result.out;
    EXPECT_EQ(result.code, exit_check_failed) << precision << ": " << result.out;
    const auto answer = nlohmann::ordered_json::parse(result.out);
    EXPECT_EQ(answer.at("outcome"), "wrong") << precision;
    const std::string said = answer.at("reason");
    EXPECT_TRUE(std::regex_search(said, std::regex(mutant.reason))) << precision << ": " << said;
  }
}

/// Expects that all built kernels are among `mutants`.
inline void expect_known(std::span<const Mutant> mutants) {
  std::istringstream names(LADDER_MUTANT_NAMES);
  const std::set<std::string> built(std::istream_iterator<std::string>(names), {});
  std::set<std::string> known;
  for (const Mutant& mutant : mutants)
    known.insert(mutant.name);
  EXPECT_EQ(built, known);
}

}  // namespace ladder::test
