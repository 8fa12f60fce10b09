#pragma once

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace ladder::test {

/// The build's launcher (LADDER_LAUNCHER) for this many processes.
inline std::vector<std::string> launcher(int processes) {
  std::istringstream text(LADDER_LAUNCHER);
  std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
  words.push_back(std::to_string(processes));
  return words;
}
/// Lets Open MPI's launcher run as root.
inline const Environment as_root = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};

/// Runs a program as `processes` processes.
inline ProcessResult launched(int processes, const std::filesystem::path& program, const std::vector<std::string>& arguments,
                              double seconds = 120) {
  std::vector<std::string> words = launcher(processes);
  words.push_back(program.string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process(words.front(), {words.begin() + 1, words.end()}, seconds, as_root);
}

}  // namespace ladder::test
