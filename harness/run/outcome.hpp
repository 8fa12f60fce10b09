#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/record/rows.hpp"
#include "harness/run/process.hpp"

namespace ladder {

/// The result of a process for its cell: a row's `outcome`, `reason` and `reason_code`.
struct Outcome {
  std::string name = "ok";
  std::string reason;
  std::string code = {};  ///< the reason for programs, e.g. `no-device`; empty if there is none
};

/// `timeout`: the process's time limit in seconds.
Outcome outcome_of(const ProcessResult& result, double timeout);

/// Stores an outcome in a row.
void set_outcome(Row& row, const Outcome& outcome);

/// Stores the outcome of a check and, if it has one, its answer.
void set_checked(Row& row, const ProcessResult& result, double timeout);

/// Stores the outcome of a sample and, if that is `ok`, its answer. An impossible answer makes the sample `failed`: its cells
/// or steps are not the requested ones (0: not known), or its time is longer than its process lived.
void set_sampled(Row& row, const ProcessResult& result, double timeout, std::int64_t cells, std::int64_t steps);

/// `text` on one line of at most 500 bytes, as a reason for people to read.
std::string excerpt(std::string_view text);

}  // namespace ladder
