#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/run/catalogue.hpp"

namespace ladder {

/// A rung named on the command line: `RUNG`, `RUNG@COMMIT`, and both with `:name=value,…`.
struct RungName {
  std::string id;
  std::string commit;    ///< as given; empty: this source tree
  std::string settings;  ///< the text after the colon
  bool has_settings = false;
};

/// @throws InputError if the commit after '@' is empty
RungName parse_rung_name(std::string_view text);

/// The 12 digits of the hash in the build name of a commit's rung, `commit-0123456789ab`; empty for other builds.
std::string commit_of(const std::string& build);

/// The rung `id` in the default build of a commit, with a build name as above. The commit's sources are copied to
/// build/commits/<hash>/, and the rung's target is built there with the preset LADDER_PRESET (default: release); later calls
/// reuse both.
/// @throws InputError for an unknown commit, for a rung that it lacks, or for an executable that speaks an older protocol;
/// Unavailable, after showing the log, if the build fails
Executable build_at_commit(const std::filesystem::path& root, const std::string& id, const std::string& commit);

/// Checks that `case_name` is the same problem in two executables of the same model.
/// @throws InputError if one does not know the case, if they differ, or if one speaks an older protocol
void require_same_case(const Executable& a, const Executable& b, const std::string& case_name);

}  // namespace ladder
