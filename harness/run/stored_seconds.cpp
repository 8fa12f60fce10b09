#include "harness/run/stored_seconds.hpp"

#include "harness/record/utc.hpp"

namespace ladder {

StoredSeconds::StoredSeconds(const std::vector<Row>& rows, double longest) {
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const Row& row = rows[i];
    if (!row.ok() || row.session != rows[i + 1].session) continue;
    const auto begin = seconds_of_utc(row.utc), end = seconds_of_utc(rows[i + 1].utc);
    if (!begin || !end) continue;
    const auto seconds = static_cast<double>(*end - *begin);
    if (seconds < 0 || seconds > longest) continue;
    const std::string kind = row.kind == "twin" ? "sample" : row.kind;
    for (const Place& place : {Place(kind, row.rung, row.case_name, row.precision), Place(kind, "", "", "")}) {
      means_[place].seconds += seconds;
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
