#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/answers.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// A contender whose files were found.
struct Contender {
  ForeignProgram program;  ///< with absolute paths
  /// Its name and everything that determines what runs and how its output is read, including hashes of the files.
  std::string content = {};
  std::vector<FileState> files = {};  ///< files whose hashes `content` includes, and which must not change
};

/// Path of the contender's program; empty if there is none. A name that contains `/` is relative to `folder`.
std::string program_of(const ContenderBlock& block, const std::filesystem::path& folder);

/// Finds the program and the files it needs, relative to `folder`. @throws InputError if one is missing
Contender find_contender(const ContenderBlock& block, const std::filesystem::path& folder);

/// The executable that checks and measures a contender: the program of its format. The description is derived from a rung of
/// the same model.
Executable executable_of(const ContenderBlock& block, const Contender& contender, const std::filesystem::path& format,
                         const Description& peer);

/// Arguments of `check` and `measure` that describe a contender on a case. `timeout_seconds`, `memory_limit_bytes`: limits of
/// each of its runs.
std::vector<std::string> arguments_of(const Contender& contender, const CaseFacts& facts, double timeout_seconds,
                                      std::int64_t memory_limit_bytes);

}  // namespace ladder
