#pragma once

#include <string>
#include <string_view>

#include "harness/program/process.hpp"

namespace ladder {

/// The result of a process for its cell: a row's `outcome`, `reason` and `reason_code`.
struct Outcome {
  std::string name = "ok";
  std::string reason;
  std::string code = {};  ///< the reason for programs, e.g. `no-device`; empty if there is none
};

/// `timeout`: the process's time limit in seconds.
Outcome outcome_of(const ProcessResult& result, double timeout);

/// `text` on one line of at most 500 bytes, as a reason for people to read.
std::string excerpt(std::string_view text);

}  // namespace ladder
