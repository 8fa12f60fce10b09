#include "harness/record/outcome.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/record/answers.hpp"

namespace ladder {
namespace {

constexpr std::size_t most_bytes = 500;

std::string with_excerpt(std::string reason, const std::string& err) {
  const std::string said = excerpt(err);
  return said.empty() ? reason : reason + ": " + said;
}

/// The code in an executable's answer that it cannot fulfil a request.
std::string code_of(const ProcessResult& result) {
  const auto answer = nlohmann::json::parse(result.out, nullptr, false);
  const auto code = answer.is_object() ? answer.find("code") : answer.end();
  if (!answer.is_object() || code == answer.end() || !code->is_string())
    return result.code == exit_unavailable ? std::string(to_string(Reason::no_device)) : "";
  return slug(code->get<std::string>().substr(0, 40));
}

}  // namespace

std::string excerpt(std::string_view text) {
  std::string line = one_line(text.substr(0, 4 * most_bytes));
  std::erase(line, '\0');
  if (line.size() <= most_bytes) return line;
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80)
    --end;  // do not cut inside a UTF-8 character
  return line.substr(0, end) + " …";
}

void set_outcome(Row& row, const Outcome& outcome) {
  row.outcome = outcome.name;
  row.reason = outcome.reason;
  row.reason_code = outcome.code;
}

void set_checked(Row& row, const ProcessResult& result, double timeout) {
  const Outcome outcome = outcome_of(result, timeout);
  if (outcome.name != "ok" && outcome.name != "wrong") return set_outcome(row, outcome);
  if (read_failure(result.out, row)) return set_outcome(row, {row.outcome, excerpt(row.reason)});
  Row answer = row;
  answer.kind = "check";
  const bool is_answer = read_check(result.out, answer);
  // Errors are relative: a tolerance above 1 would accept anything.
  if (!is_answer || (row.is_checked() && (std::isnan(answer.population_error) || !(answer.tolerance <= 1))))
    return set_outcome(row, {"failed", "the check's answer is invalid"});
  const bool is_within = !row.is_checked() || answer.population_error <= answer.tolerance;
  answer.kind = row.kind;
  row = answer;
  set_outcome(row, {is_within && result.code == exit_ok ? "ok" : "wrong", excerpt(answer.reason)});
  if (!is_within)
    row.reason = fmt::format("the check calls an error of {:.3g} ok; accepted is {:.3g}", row.population_error, row.tolerance);
  else if (result.code != exit_ok)
    row.reason = fmt::format("the check calls the result ok, but its exit code is {}", result.code);
}

void set_sampled(Row& row, const ProcessResult& result, double timeout, std::int64_t cells, std::int64_t steps) {
  const Outcome outcome = outcome_of(result, timeout);
  if (outcome.name != "ok") return set_outcome(row, outcome);
  if (read_failure(result.out, row)) return set_outcome(row, {row.outcome, excerpt(row.reason)});
  Row answer = row;
  std::string reason;
  if (!read_sample(result.out, answer))
    reason = "the measurement's answer is not Google Benchmark's JSON with the expected counters";
  else if (cells > 0 && answer.cells != cells)
    reason = fmt::format("impossible answer: {} cells, but the case has {}", answer.cells, cells);
  else if (steps > 0 && answer.steps != steps)
    reason = fmt::format("impossible answer: {} steps, but {} were asked for", answer.steps, steps);
  else if (answer.seconds > result.seconds)
    reason =
        fmt::format("impossible answer: {:.3g} s, but the process answered after {:.3g} s", answer.seconds, result.seconds);
  if (!reason.empty()) return set_outcome(row, {"failed", reason});
  row = answer;
  set_outcome(row, outcome);
}

Outcome outcome_of(const ProcessResult& result, double timeout) {
  using End = ProcessResult::End;
  if (result.end == End::timed_out) return {"timeout", fmt::format("no answer within {} s", timeout)};
  if (result.end == End::out_of_memory)
    return {"failed",
            fmt::format("used more than its limit of {:.3g} GB of memory, and was killed", result.memory_bytes * 1e-9)};
  if (result.end == End::signalled)
    return {"crashed", with_excerpt(fmt::format("ended by signal {} ({})", result.code, strsignal(result.code)), result.err)};
  if (result.code == exit_ok) return {};
  if (result.code == exit_check_failed) return {"wrong", excerpt(result.err)};
  // Names and values have been checked before, so a refusal now indicates a limit of this machine.
  if (result.code == exit_bad_input || result.code == exit_unavailable)
    return {"skipped", excerpt(result.err), code_of(result)};
  if (result.code == exit_broken) return {"failed", excerpt(result.err)};
  return {"failed", with_excerpt(fmt::format("exit code {}", result.code), result.err)};
}

}  // namespace ladder
