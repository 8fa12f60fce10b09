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
TextCell name_cell(const Context& context, const Side& side) {
  if (side.cell != nullptr) return row_name(*side.cell->row);
  return fmt::format("{}: {}", side.query.rung, why_missing(context, side.query));
}

/// A pair on a case.
struct Compared {
  std::string label;
  Side over, rung;
  Ratio ratio = {};
  std::string verdict = "—";
};

Compared compared(const Context& context, const Pair& pair, const std::string& case_name, const std::string& precision) {
  Compared line{pair.label, side_of(context, pair.over, pair.over_tuning, case_name, precision),
                side_of(context, pair.rung, pair.tuning, case_name, precision)};
  if (line.over.cell == nullptr || line.rung.cell == nullptr) return line;
  line.ratio = paired_ratio(line.rung.cell->updates_per_second, line.over.cell->updates_per_second);
  line.verdict = verdict_text(line.ratio, context.results.noise_floor(*line.rung.cell, *line.over.cell));
  return line;
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
  std::vector<Compared> lines;
  std::vector<const Cell*> cells;
  std::vector<const Profile*> profiles;
  std::vector<std::pair<double, std::string>> ratios;
  for (const Pair& pair : pairs) {
    const Compared& line = lines.emplace_back(compared(context, pair, case_name, precision));
    for (const Side* side : {&line.over, &line.rung}) {
      if (side->cell != nullptr) cells.push_back(side->cell);
      if (side->profile != nullptr) profiles.push_back(side->profile);
    }
    if (line.over.cell != nullptr && line.rung.cell != nullptr) ratios.emplace_back(line.ratio.value, line.label);
  }
  std::vector<Column<Compared>> columns = {{"Idea", "idea", &Compared::label}};
  /// Adds a column for each side.
  const auto add = [&](const std::string& title, const std::string& name, auto... path) {
    columns.emplace_back(title + ", " + a, "over" + (name.empty() ? "" : "_" + name), &Compared::over, path...);
    columns.emplace_back(title + ", " + b, name.empty() ? "rung" : name, &Compared::rung, path...);
  };
  add("Rung", "", [&](const Side& side) { return name_cell(context, side); });
  add("MLUPS", "mlups", &Side::cell, rate_cell);
  columns.insert(columns.end(), {{"Ratio", "ratio", &Compared::ratio, ratio_cell}, {"Verdict", "verdict", &Compared::verdict}});
  add("DRAM, B", "dram_bytes_per_update", [](const Side& side) {
    return side.cell == nullptr ? "—" : dram_cell(side.profile, side.cell->row->dram_bytes_per_update());
  });
  add("Registers", "registers_per_thread", &Side::profile, &Profile::registers_per_thread, count_cell);
  add("Occupancy", "occupancy", &Side::profile, &Profile::occupancy, share_cell);
  std::string caption = rows_caption(context, cells, fmt::format("kind=sample, case={}, precision={}", case_name, precision));
  if (!profiles.empty()) caption += " " + profiles_caption(context, profiles);
  section.add(tabulate("backends-" + case_name + "-" + precision, fmt::format("{} over {}, {}, {}", b, a, case_name, precision),
                       columns, lines),
              std::move(caption), rows_of(cells), profiles);
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
