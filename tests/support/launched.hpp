#pragma once

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace ladder::test {

/// Runs a program as `processes` processes with the build's launcher (LADDER_LAUNCHER), even as root.
inline ProcessResult launched(int processes, const std::filesystem::path& program, const std::vector<std::string>& arguments,
                              double seconds = 120) {
  std::istringstream launcher(LADDER_LAUNCHER);
  std::vector<std::string> words(std::istream_iterator<std::string>(launcher), {});
  const std::string mpirun = words.front();
  words.erase(words.begin());
  words.push_back(std::to_string(processes));
  words.push_back(program.string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process(mpirun, words, seconds, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
}

}  // namespace ladder::test
