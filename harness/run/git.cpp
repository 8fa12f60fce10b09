#include "harness/run/git.hpp"

#include "base/error.hpp"
#include "base/file.hpp"

namespace ladder {

ProcessResult run_git(const std::filesystem::path& root, const std::vector<std::string>& arguments, double timeout_seconds) {
  const std::string git = found_on_path("git");
  if (git.empty()) throw InputError("there is no git on PATH");
  std::vector<std::string> words = {"-u",       "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE",
                                    "LC_ALL=C", git,       "-C", root.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process("/usr/bin/env", words, timeout_seconds);
}

}  // namespace ladder
