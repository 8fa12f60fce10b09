#pragma once

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "harness/bench/serve.hpp"

namespace ladder {

/// Runs a command in every process of a team and writes the output of process 0. A process that fails alone terminates the
/// others, which would wait for it. `run`: (streams) -> exit code
template <class Run>
int as_team(const std::vector<std::string>& words, const Streams& to, Run run) {
  const bool computes = !words.empty() && (words.front() == "check" || words.front() == "measure" ||
                                           words.front() == "profile" || words.front() == "solve");
  if (!computes || !has_processes()) return run(to);
  int size = 1;
  try {
    size = team().size();
  } catch (const std::runtime_error& e) {
    to.err << e.what() << '\n';
    return exit_unavailable;
  }
  if (size == 1) return run(to);
  std::ostringstream out, err;
  const int code = run(Streams{out, err});
  if (!team().meets()) {
    std::cerr << "process " << team().rank() << " of " << size << ": " << (err.str().empty() ? "ended alone\n" : err.str())
              << std::flush;
    team().abort(code == exit_ok ? exit_broken : code);
  }
  const std::string reason = team().first_text(err.str());
  if (team().rank() == 0) {
    to.out << out.str();
    to.err << reason;
  }
  return static_cast<int>(team().largest(code));
}

}  // namespace ladder
