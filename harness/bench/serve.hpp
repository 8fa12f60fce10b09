#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace ladder {

/// Output streams of a command.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

/// Executes one command: (arguments, streams) -> exit code.
using Command = std::function<int(const std::vector<std::string>&, const Streams&)>;

/// The `main` of an executable: passes the arguments to `run` as a command or, if the only argument is `serve`, runs one
/// command after another until the input ends (docs/architecture.md, "A resident process"). Exceptions of `run` end the
/// process, as they would end `main`.
int command_main(const Command& run, int argc, char** argv);

}  // namespace ladder
