// A row survives being written and read, whatever text and values it contains.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "harness/record/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

static ladder::Row make_row(FuzzedDataProvider& data) {
  const auto text = [&] { return data.ConsumeRandomLengthString(64); };
  const auto number = [&] {
    return data.ConsumeProbability<double>() * (data.ConsumeBool() ? 1e30 : data.ConsumeBool() ? -1 : 1);
  };
  ladder::Row row;
  row.kind = data.PickValueInArray({"check", "sample", "ceiling"});
  row.outcome = data.PickValueInArray({"ok", "wrong", "skipped", "failed", "crashed", "timeout"});
  row.precision = data.PickValueInArray({"f32", "f64"});
  row.round = data.ConsumeIntegralInRange(0, 1 << 30);
  row.cells =
      data.ConsumeIntegralInRange<std::int64_t>(row.outcome == "ok" && row.kind != "check" ? 1 : 0, std::int64_t{1} << 53);
  row.session = "s" + text();
  row.utc = "2026-01-01T12:00:00Z";
  row.reason = text();
  row.device = text();
  row.key = text();
  row.affinity = text();
  row.suspicious = text();
  row.phases = data.PickValueInArray({"", "stream=0.001;collide=0.003"});
  row.seconds = number();
  if (row.seconds < 1e-30) row.seconds = -1;
  row.population_error = std::abs(number());
  row.tolerance = row.population_error;  // an ok check may not exceed it
  row.updates_per_second = std::max(1.0, std::abs(number()));
  if (row.kind == "sample" && row.outcome == "ok") {
    row.steps = data.ConsumeIntegralInRange(1, 1 << 20);
    row.seconds = std::clamp(row.seconds, 1e-6, 1e29);
    row.updates_per_second = static_cast<double>(row.cells) * static_cast<double>(row.steps) / row.seconds;
  }
  return row;
}

LADDER_FUZZ(input) {
  FuzzedDataProvider data(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  const ladder::Row row = make_row(data);
  const std::string line = ladder::csv_line(row);
  const ladder::RowFile file = ladder::parse_rows("m.csv", ladder::csv_header<ladder::Row>() + "\n" + line + "\n");
  require(!file.csv.is_truncated() && file.rows.size() == 1, "a row is read as one row");
  const ladder::Row& read = file.rows[0];
  require(read.session == ladder::one_line(row.session) && read.reason == ladder::one_line(row.reason), "texts are read");
  require(row.seconds < 0 ? std::isnan(read.seconds) : read.seconds == row.seconds, "numbers are read");
  require(ladder::csv_line(read) == line, "what is written again is the same");
}
