#include "harness/bench/serve.hpp"

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "base/standard_streams.hpp"

namespace ladder {
namespace {

/// Whether a launcher started several processes. If MPI fails, the commands report it.
bool is_team() {
  if (!has_processes()) return false;
  try {
    return team().size() > 1;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// Reads the next line from the standard input of process 0 and passes it to all processes. Returns whether there is one.
bool read_request(std::string& line, bool of_team) {
  if (!of_team) return static_cast<bool>(std::getline(std::cin, line));
  line.clear();
  const bool is_read = team().rank() == 0 && std::getline(std::cin, line);
  team().gather();
  line = team().first_text(line);
  return team().largest(is_read ? 1 : 0) > 0;
}

/// Runs one command after another until the input ends. In a team, all processes run each command, and process 0 answers.
int serve(const Command& run) {
  const bool of_team = is_team();
  for (std::string line; read_request(line, of_team);) {
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
    if (of_team && team().rank() > 0) continue;
    const nlohmann::ordered_json answer = {{"code", code}, {"out", out.str()}, {"err", err.str()}};
    std::cout << answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
  }
  return exit_ok;
}

}  // namespace

int command_main(const Command& run, int argc, char** argv) {
  open_standard_streams();
  const bool stays = argc == 2 && std::string_view(argv[1]) == "serve";
  return written(stays ? serve(run) : run(std::vector<std::string>(argv + 1, argv + argc), Streams{std::cout, std::cerr}));
}

}  // namespace ladder
