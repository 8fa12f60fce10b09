#pragma once

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "backends/error.hpp"

namespace ladder {

/// What a command writes to.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

/// Exit code of a command that a backend failed in. Its process is done with: errors of a GPU stay with it.
inline constexpr int exit_broken = 4;

/// Works on one command after another, as docs/architecture.md says ("A process that stays"), until the input ends.
/// `run` works on one: (arguments, streams) -> exit code. What it throws ends the process, as it would end `main`.
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
      err << "a request is a JSON array of texts on one line, e.g. [\"probe\"]\n";
    const nlohmann::ordered_json answer = {{"code", code}, {"out", out.str()}, {"err", err.str()}};
    std::cout << answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
  }
  return exit_ok;
}

/// The exit code of a program whose code would be `code`: exit_bad_input instead of exit_ok where not all of standard output
/// could be written.
inline int written(int code) {
  if (std::cout.flush()) return code;
  std::cerr << "standard output cannot be written (is the disk full?)\n";
  return code == exit_ok ? exit_bad_input : code;
}

/// The `main` of an executable: `run` works on the command of the arguments; with the one argument `serve`, on one after
/// another.
template <class Run>
int command_main(Run run, int argc, char** argv) {
  const bool stays = argc == 2 && std::string_view(argv[1]) == "serve";
  return written(stays ? serve(run) : run(std::vector<std::string>(argv + 1, argv + argc), Streams{std::cout, std::cerr}));
}

}  // namespace ladder
