#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/program/answers.hpp"
#include "harness/program/process.hpp"

namespace ladder {

/// What the end of a process means for the cell that it worked on: a row's `outcome`, `reason` and `reason_code`.
struct Outcome {
  std::string name = "ok";
  std::string reason;
  std::string code = {};  ///< the reason for programs, e.g. `no-device`; empty where there is none
};

/// `timeout`: seconds that the process was given.
Outcome outcome_of(const ProcessResult& result, double timeout);

/// A check: its outcome, and the answer's numbers, where it has one.
struct Checked {
  Outcome outcome;
  CheckAnswer answer;
};
Checked checked(const ProcessResult& result, double timeout);

/// A sample: its outcome and, if that is `ok`, the answer. An answer that cannot be is none: of other cells or steps than were
/// asked for (0: not known), or longer than its process was there.
struct Sampled {
  Outcome outcome;
  SampleAnswer answer;
};
Sampled sampled(const ProcessResult& result, double timeout, std::int64_t cells, std::int64_t steps);

/// `text` on one line of at most 500 bytes: a reason is read by people, whatever a process wrote.
std::string excerpt(std::string_view text);

}  // namespace ladder
