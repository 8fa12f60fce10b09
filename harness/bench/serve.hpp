#pragma once

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/standard_streams.hpp"

namespace ladder {

/// Output streams of a command.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

/// Runs one command after another until the input ends (docs/architecture.md, "A resident process"). `run` executes a single
/// command: (arguments, streams) -> exit code. Its exceptions end the process, as they would end `main`.
template <class Run>
int serve(Run run) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = nlohmann::json::parse(line, nullptr, false);
    bool is_request = request.is_array();
    for (std::size_t i = 0; is_request && i < request.size(); ++i)
      is_request = request[i].is_string();
    std::ostringstream out;
    std::ostringstream err;
    int code = exit_bad_input;
    if (is_request)
      code = run(request.get<std::vector<std::string>>(), Streams{out, err});
    else
      err << "a request is a JSON array of strings on one line, e.g. [\"probe\"]\n";
    const nlohmann::ordered_json answer = {{"code", code}, {"out", out.str()}, {"err", err.str()}};
    std::cout << answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
  }
  return exit_ok;
}

/// Flushes standard output and returns the exit code for a program that would otherwise exit with `code`: exit_bad_input
/// instead of exit_ok if some output could not be written.
inline int written(int code) {
  if (std::cout.flush()) return code;
  std::cerr << "standard output cannot be written (is the disk full?)\n";
  return code == exit_ok ? exit_bad_input : code;
}

/// The `main` of an executable: passes the arguments to `run` as a command or, if the only argument is `serve`, serves one
/// command after another.
template <class Run>
int command_main(Run run, int argc, char** argv) {
  open_standard_streams();
  const bool stays = argc == 2 && std::string_view(argv[1]) == "serve";
  return written(stays ? serve(run) : run(std::vector<std::string>(argv + 1, argv + argc), Streams{std::cout, std::cerr}));
}

}  // namespace ladder
