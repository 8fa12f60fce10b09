#pragma once

#include <string>
#include <vector>

#include "harness/program/commands.hpp"

namespace ladder {

struct CompareOptions {
  std::string a, b;  ///< `RUNG` or `RUNG:name=value,…`
  std::string case_name;
  std::string precision;  ///< empty: the rung's default
  std::string machine;
  std::string placement;              ///< of both; as parse_placement() reads it
  std::vector<std::string> launcher;  ///< command that starts several processes; empty: what launch_of() finds
  int rounds = 60;                    ///< at most
  double budget_seconds = 0;
  double fail_if_slower = -1;  ///< per cent; negative: never
  bool json = false;
};

/// Measures two rungs in the same rounds and says which is faster: ratio of B over A, interval and verdict. Exit code 1 if a
/// rung is wrong or cannot run, or B is slower by more than options.fail_if_slower, noise aside.
int compare(const Context& context, const CompareOptions& options);

}  // namespace ladder
