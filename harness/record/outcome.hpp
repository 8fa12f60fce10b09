#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/process.hpp"
#include "harness/record/rows.hpp"

namespace ladder {

/// A process's result for its cell: a row's `outcome`, `reason` and `reason_code`.
struct Outcome {
  std::string name = "ok";
  std::string reason;
  std::string code = {};  ///< machine-readable reason, e.g. `no-device`; empty if there is none
};

/// `timeout`: the process's time limit in seconds.
Outcome outcome_of(const ProcessResult& result, double timeout);

/// Stores an outcome in a row.
void set_outcome(Row& row, const Outcome& outcome);

/// Stores the outcome of a check and its answer, if any.
void set_checked(Row& row, const ProcessResult& result, double timeout);

/// Stores the outcome of a sample and, if it is `ok`, the answer. An impossible answer makes the sample `failed`: other cells
/// or steps than requested (0: unknown), or a time longer than the process's lifetime.
void set_sampled(Row& row, const ProcessResult& result, double timeout, std::int64_t cells, std::int64_t steps);

/// `text` as a human-readable reason: one line of at most 500 bytes.
std::string excerpt(std::string_view text);

}  // namespace ladder
