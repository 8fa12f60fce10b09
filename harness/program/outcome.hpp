#pragma once

#include <string>
#include <string_view>

#include "harness/program/process.hpp"

namespace ladder {

/// What the end of a process means for the cell that it worked on: a row's `outcome` and `reason`.
struct Outcome {
  std::string name = "ok";
  std::string reason;
};

/// `timeout`: seconds that the process was given.
Outcome outcome_of(const ProcessResult& result, double timeout);

/// `text` on one line of at most 500 bytes: a reason is read by people, whatever a process wrote.
std::string excerpt(std::string_view text);

}  // namespace ladder
