#pragma once

#include <string>
#include <vector>

#include "program/commands.hpp"

namespace ladder {

struct CompareOptions {
  std::string a, b;  ///< RungName
  std::string case_name;
  std::string precision;  ///< empty: the rung's default
  std::string machine;
  std::string placement;              ///< of both; see parse_placement()
  std::vector<std::string> launcher;  ///< command that starts several processes; empty: chosen by launch_of()
  int rounds = 60;                    ///< maximum
  double budget_seconds = 0;
  double fail_if_slower = -1;  ///< per cent; negative: never
  bool energy = false;         ///< take samples long enough to measure energy
  bool json = false;
};

/// Measures two rungs in the same rounds and compares them: ratio of B to A, interval and verdict. The exit code is 1 if a rung
/// is wrong or cannot run, or if B is slower by more than options.fail_if_slower, beyond the noise.
int compare(const Context& context, const CompareOptions& options);

}  // namespace ladder
