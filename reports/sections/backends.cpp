#include <fmt/format.h>

#include <algorithm>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

/// Two rungs with the same idea. The rate of `rung` is compared with that of `over`.
struct Pair {
  std::string label, rung, tuning, over, over_tuning, cause;
};

std::vector<Pair> read_pairs(const Parameters& block) {
  std::vector<Pair> pairs;
  const std::string tuning = block.text("tuning", "initial");
  for (const Parameters& row : block.tables("pairs")) {
    pairs.push_back({row.text("label"), row.text("rung"), row.text("tuning", tuning), row.text("over"),
                     row.text("over_tuning", tuning), row.text("cause", "")});
    row.finish();
  }
  return pairs;
}

/// One side of a pair on a case.
struct Side {
  CellQuery query;
  const Cell* cell = nullptr;
  const Profile* profile = nullptr;
};

Side side_of(const Context& context, const std::string& rung, const std::string& tuning, const std::string& case_name,
             const std::string& precision) {
  Side side{.query = {.rung = rung, .case_name = case_name, .precision = precision, .tuning = tuning}};
  side.cell = context.results.choose(side.query);
  if (side.cell != nullptr) side.profile = context.results.profile(*side.cell);
  return side;
}

/// Rung and tuning, or the reason why it did not run.
TableCell name_cell(const Context& context, const Side& side) {
  const std::string rung = side.cell == nullptr ? side.query.rung : side.cell->row->rung;
  if (side.cell == nullptr) return fmt::format("{}: {}", rung, why_missing(context, side.query));
  return side.cell->row->tuning.empty() ? rung : rung + ", " + side.cell->row->tuning;
}

std::vector<TableCell> table_row(const Context& context, const Pair& pair, const Side& over, const Side& rung) {
  Ratio ratio;
  std::string says = "—";
  if (over.cell != nullptr && rung.cell != nullptr) {
    ratio = paired_ratio(rung.cell->updates_per_second, over.cell->updates_per_second);
    says = verdict_text(ratio, context.results.noise_floor(*rung.cell, *over.cell));
  }
  const auto rate = [](const Side& side) { return side.cell == nullptr ? TableCell("—") : rate_cell(*side.cell); };
  const auto dram = [](const Side& side) {
    return side.cell == nullptr ? TableCell("—") : dram_cell(side.profile, side.cell->row->dram_bytes_per_update());
  };
  const auto counter = [](const Side& side, double Profile::*value) {
    return side.profile == nullptr ? unknown : side.profile->*value;
  };
  return {pair.label,
          name_cell(context, over),
          name_cell(context, rung),
          rate(over),
          rate(rung),
          ratio_cell(ratio),
          says,
          dram(over),
          dram(rung),
          count_cell(counter(over, &Profile::registers_per_thread)),
          count_cell(counter(rung, &Profile::registers_per_thread)),
          percent_cell(counter(over, &Profile::occupancy)),
          percent_cell(counter(rung, &Profile::occupancy))};
}

/// Drops columns that are empty in all rows.
void drop_empty_columns(Table& table) {
  if (table.rows.empty()) return;
  for (std::size_t i = table.columns.size(); i-- > 0;)
    if (std::ranges::all_of(table.rows, [&](const auto& row) { return row[i].text == "—"; })) table.drop_column(i);
}

/// `opencl` for `d2q9/opencl/04_fused`, if it is the same for all of `rungs`; else `absent`.
std::string backend_of(const std::vector<std::string>& rungs, const std::string& absent) {
  std::string common;
  for (const std::string& rung : rungs) {
    const std::size_t first = std::min(rung.find('/'), rung.size());
    const std::size_t second = std::min(rung.find('/', first + 1), rung.size());
    const std::string backend = first < second ? rung.substr(first + 1, second - first - 1) : "";
    if (backend.empty() || (!common.empty() && backend != common)) return absent;
    common = backend;
  }
  return common.empty() ? absent : common;
}

/// Adds the table of a case, and the lowest and highest ratio of the pairs.
void compare(const Context& context, const std::vector<Pair>& pairs, const std::string& case_name, const std::string& precision,
             Section& section) {
  std::vector<std::string> overs, rungs;
  for (const Pair& pair : pairs) {
    overs.push_back(pair.over);
    rungs.push_back(pair.rung);
  }
  const std::string a = backend_of(overs, "over");
  const std::string b = backend_of(rungs, "rung");
  Table table{"backends-" + case_name + "-" + precision,
              fmt::format("{} over {}, {}, {}", b, a, case_name, precision),
              {{"Idea", "idea", false},
               {fmt::format("Rung, {}", a), "over", false},
               {fmt::format("Rung, {}", b), "rung", false},
               {fmt::format("MLUPS, {}", a), "over_mlups"},
               {fmt::format("MLUPS, {}", b), "mlups"},
               {"Ratio", "ratio"},
               {"Verdict", "verdict", false},
               {fmt::format("DRAM, B, {}", a), "over_dram_bytes_per_update"},
               {fmt::format("DRAM, B, {}", b), "dram_bytes_per_update"},
               {fmt::format("Registers, {}", a), "over_registers_per_thread"},
               {fmt::format("Registers, {}", b), "registers_per_thread"},
               {fmt::format("Occupancy, {}", a), "over_occupancy"},
               {fmt::format("Occupancy, {}", b), "occupancy"}}};
  std::vector<const Cell*> cells;
  std::vector<const Profile*> profiles;
  std::vector<std::pair<double, std::string>> ratios;
  for (const Pair& pair : pairs) {
    const Side over = side_of(context, pair.over, pair.over_tuning, case_name, precision);
    const Side rung = side_of(context, pair.rung, pair.tuning, case_name, precision);
    table.rows.push_back(table_row(context, pair, over, rung));
    for (const Side& side : {over, rung}) {
      if (side.cell != nullptr) cells.push_back(side.cell);
      if (side.profile != nullptr) profiles.push_back(side.profile);
    }
    if (over.cell != nullptr && rung.cell != nullptr)
      ratios.emplace_back(paired_ratio(rung.cell->updates_per_second, over.cell->updates_per_second).value, pair.label);
  }
  drop_empty_columns(table);
  std::string caption = rows_caption(context, cells, fmt::format("kind=sample, case={}, precision={}", case_name, precision));
  if (!profiles.empty()) caption += " " + profiles_caption(context, profiles);
  section.add(std::move(table), std::move(caption), rows_of(cells));
  if (ratios.empty()) return;
  const auto [low, high] = std::ranges::minmax_element(ratios);
  section.find(fmt::format("{}, {}: the ratio of the rates goes from {} ('{}') to {} ('{}').", case_name, precision,
                           times(low->first), low->second, times(high->first), high->second));
}

}  // namespace

void backends(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::vector<std::string> precisions = block.texts("precisions", {std::string(default_number.name)});
  const std::vector<Pair> pairs = read_pairs(block);
  for (const std::string& case_name : cases)
    for (const std::string& precision : precisions)
      compare(context, pairs, case_name, precision, section);
  for (const Pair& pair : pairs)
    if (!pair.cause.empty()) section.say(fmt::format("{}: {}.", pair.label, pair.cause));
}

}  // namespace ladder::reports
