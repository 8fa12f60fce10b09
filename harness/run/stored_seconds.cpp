#include "harness/run/stored_seconds.hpp"

#include <ctime>
#include <optional>

namespace ladder {
namespace {

/// Seconds since 1970; nullopt if the text is not a time in the format of rows.
std::optional<double> seconds_of(const std::string& utc) {
  std::tm time{};
  const char* const end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return end != nullptr && *end == '\0' ? std::optional(static_cast<double>(timegm(&time))) : std::nullopt;
}

}  // namespace

StoredSeconds::StoredSeconds(const std::vector<Row>& rows, double longest) {
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const Row& row = rows[i];
    if (!row.ok() || row.session != rows[i + 1].session) continue;
    const auto begin = seconds_of(row.utc), end = seconds_of(rows[i + 1].utc);
    if (!begin || !end || *end < *begin || *end - *begin > longest) continue;
    const std::string kind = row.kind == "twin" ? "sample" : row.kind;
    for (const Place& place : {Place(kind, row.rung, row.case_name, row.precision), Place(kind, "", "", "")}) {
      means_[place].seconds += *end - *begin;
      ++means_[place].count;
    }
    ++rows_;
  }
}

double StoredSeconds::of(const std::string& kind, const Row& cell, double guess) const {
  for (const Place& place : {Place(kind, cell.rung, cell.case_name, cell.precision), Place(kind, "", "", "")})
    if (const auto found = means_.find(place); found != means_.end()) return found->second.seconds / found->second.count;
  return guess;
}

}  // namespace ladder
