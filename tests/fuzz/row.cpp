// A row that the harness writes, whatever texts and numbers it was given, is read again by the harness and by reports.
#include "harness/program/row.hpp"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>

#include "harness/program/store.hpp"
#include "harness/program/text.hpp"
#include "reports/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

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
      data.ConsumeIntegralInRange<std::int64_t>(row.outcome == "ok" && row.kind != "check" ? 1 : -1, std::int64_t{1} << 53);
  row.session = text();
  row.reason = text();
  row.device = text();
  row.key = text();
  row.affinity = text();
  row.suspicious = text();
  row.seconds = number();
  if (row.seconds < 1e-30) row.seconds = -1;
  row.population_error = number();
  row.updates_per_second = std::max(1.0, std::abs(number()));
  if (row.kind == "sample" && row.outcome == "ok") {
    row.steps = data.ConsumeIntegralInRange(1, 1 << 20);
    row.seconds = std::clamp(row.seconds, 1e-6, 1e29);
    row.updates_per_second = static_cast<double>(row.cells) * static_cast<double>(row.steps) / row.seconds;
  }
  return row;
}

static bool same(double stored, double written) { return written < 0 ? std::isnan(stored) : stored == written; }

LADDER_FUZZ(input) {
  FuzzedDataProvider data(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  const ladder::Row row = make_row(data);
  const std::string text = ladder::csv_header() + "\n" + ladder::csv_line(row) + "\n";

  const auto stored = ladder::parse_rows("m.csv", text);
  require(stored.size() == 1, "the harness reads one row");
  const auto session = ladder::one_line(row.session);
  const auto key = ladder::one_line(row.key);
  require(stored[0].session == session && stored[0].kind == row.kind && stored[0].outcome == row.outcome &&
              stored[0].key == key && stored[0].round == row.round,
          "the harness reads what it wrote");

  const reports::RowFile file = reports::parse_rows("m.csv", text);
  require(!file.truncated && file.rows.size() == 1, "reports read one row");
  const reports::Row& read = file.rows[0];
  require(read.session == session && read.key == key && read.reason == ladder::one_line(row.reason) &&
              read.device == ladder::one_line(row.device) && read.kind == row.kind && read.round == row.round,
          "reports read the texts");
  require(read.cells == std::max<std::int64_t>(row.cells, 0) && same(read.seconds, row.seconds) &&
              same(read.population_error, row.population_error) && same(read.updates_per_second, row.updates_per_second),
          "reports read the numbers");
}
