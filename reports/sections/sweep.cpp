#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/format.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// One rung on one case, with its fractions of ceilings.
struct SweptSize {
  std::string name;  ///< of the rung, for a figure
  const Cell* cell = nullptr;
  std::string fits_in;
  std::optional<Fraction> of_dram, of_size;  ///< of copy-Q

  [[nodiscard]] const Row& row() const { return *cell->row; }
};

Table make_table(const std::vector<SweptSize>& sizes) {
  return tabulate("sweep", "Rate by size, and its fraction of copy-Q",
                  {{"Rung", "rung", &SweptSize::row, row_name},
                   {"Case", "case", &SweptSize::row, &Row::case_name},
                   {"Sites", "sites", &SweptSize::row, &Row::cells, count_cell},
                   {"Lattices, B", "footprint_bytes", &SweptSize::row, &Row::footprint_bytes, bytes_cell},
                   {"fits in", "fits_in", &SweptSize::fits_in},
                   {"µs per step", "us_per_step", &SweptSize::cell, time_cell},
                   {"MLUPS", "mlups", &SweptSize::cell, four_digit_rate_cell},
                   {"of DRAM copy", "dram_copy_fraction", &SweptSize::of_dram, fraction_cell},
                   {"of copy that size", "copy_fraction", &SweptSize::of_size, fraction_cell}},
                  sizes);
}

/// "01_soa with 20.0 MLUPS from DRAM": the fastest rung on a case.
std::string fastest_text(const SweptSize& size) {
  const std::string note = size.cell->foreign_note();
  return fmt::format("{}{} with {} MLUPS from {}", size.cell->row->rung, note.empty() ? "" : " (" + note + ")",
                     significant(size.cell->mlups()), size.fits_in);
}

/// The fastest rung on a case.
const SweptSize& fastest_on(const std::string& case_name, const std::vector<SweptSize>& sizes) {
  return *std::ranges::max_element(sizes, {},
                                   [&](const SweptSize& s) { return s.row().case_name == case_name ? s.cell->median : 0; });
}

/// The fastest other rung on the same case; null if there is none.
const SweptSize* second_to(const SweptSize& fastest, const std::vector<SweptSize>& sizes) {
  const SweptSize* second = nullptr;
  for (const SweptSize& s : sizes) {
    if (s.row().case_name != fastest.row().case_name || s.row().rung == fastest.row().rung) continue;
    if (second == nullptr || s.cell->median > second->cell->median) second = &s;
  }
  return second;
}

/// Details about the fastest rung of a case: how much tuning gains over the rung's default values, and which other rung is
/// equally fast according to the rows.
std::string verdict_on(const SweptSize& fastest, const std::vector<SweptSize>& sizes, const Context& context) {
  const Cell& cell = *fastest.cell;
  std::string text;
  const Cell* own = with_own_tuning(context, cell);
  if (own != nullptr && own != &cell)
    text += fmt::format(", {} over its default tuning",
                        ratio_cell(paired_ratio(cell.updates_per_second, own->updates_per_second)).text);
  const SweptSize* second = second_to(fastest, sizes);
  if (second == nullptr) return text;
  const std::string tie = tie_text(context, cell, *second->cell, second->row().rung);
  if (!tie.empty()) return text + tie;
  const Ratio lead = paired_ratio(cell.updates_per_second, second->cell->updates_per_second);
  return text + fmt::format(", {} over {}{}", ratio_cell(lead).text, second->row().rung,
                            lead.interval.is_known() ? "" : " in too few rounds to decide");
}

/// The fastest rungs on the smallest and on the largest case; empty for fewer than two sizes.
std::string finding(const std::vector<SweptSize>& sizes, const Context& context) {
  const auto [smallest, largest] = std::ranges::minmax_element(sizes, {}, [](const SweptSize& s) { return s.row().cells; });
  if (smallest->row().cells == largest->row().cells) return "";
  const SweptSize& small = fastest_on(smallest->row().case_name, sizes);
  const SweptSize& large = fastest_on(largest->row().case_name, sizes);
  std::string text =
      fmt::format("The fastest on {} is {}; on {} it is {}", small.row().case_name,
                  fastest_text(small) + verdict_on(small, sizes, context), large.row().case_name, fastest_text(large));
  if (large.of_dram)
    text += fmt::format(", {} of {} from DRAM", percent(large.of_dram->ratio.value), large.of_dram->ceiling.name);
  return text + verdict_on(large, sizes, context) + ".";
}

/// The same in short, for the chart.
std::string conclusion(const std::vector<SweptSize>& sizes, const Context& context) {
  const auto [smallest, largest] = std::ranges::minmax_element(sizes, {}, [](const SweptSize& s) { return s.row().cells; });
  std::vector<std::string> parts;
  for (const std::string& case_name : {smallest->row().case_name, largest->row().case_name}) {
    const SweptSize& fastest = fastest_on(case_name, sizes);
    const SweptSize* second = second_to(fastest, sizes);
    const bool is_open = second != nullptr && !tie_text(context, *fastest.cell, *second->cell, "").empty();
    add_once(parts, is_open ? fmt::format("on {} the rows do not distinguish {} and {}, {} MLUPS", case_name, fastest.name,
                                          second->name, rounded(fastest.cell->mlups()))
                            : fmt::format("on {} the fastest is {} with {} MLUPS", case_name, fastest.name,
                                          rounded(fastest.cell->mlups())));
  }
  parts.front()[0] = 'O';
  return fmt::format("{}.", fmt::join(parts, "; "));
}

/// Numbers of sites at which the rungs' lattices no longer fit in a cache, with a mark for each cache and number of bytes per
/// site.
std::vector<std::pair<double, std::string>> residency_marks(const Context& context, const std::vector<SweptSize>& sizes) {
  std::map<double, const Row*> by_bytes;  // per site
  for (const SweptSize& s : sizes) {
    const double bytes = std::round(s.cell->row->footprint_bytes / static_cast<double>(s.cell->row->cells));
    if (!std::isnan(positive(bytes))) by_bytes.try_emplace(bytes, s.cell->row);
  }
  std::vector<std::pair<double, std::string>> marks;
  for (const auto& [bytes, row] : by_bytes) {
    for (const CacheLevel& cache : context.results.caches(*row))
      marks.emplace_back(cache.total() / bytes, fmt::format("{}: {:.0f} B a site", cache.name(), bytes));
  }
  return marks;
}

}  // namespace

void sweep(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "best");
  const std::string backend = block.text("ceilings", "");

  SizeChart chart{
      .id = "sweep", .title = figure_title(context, "Rate by size", {precision}), .y_label = "MLUPS", .is_logarithmic = true};
  std::vector<SweptSize> sizes;
  std::vector<const Cell*> used;
  std::vector<const Cell*> limits;
  for (const RungOverSizes& rung : rungs_over_sizes(context, rungs, cases, precision, tuning)) {
    SizeLine line{rung.name, false, rung.look, {}};
    for (const Cell* cell : rung.cells) {
      const Row& row = *cell->row;
      const SweptSize& size = sizes.emplace_back(
          SweptSize{rung.name, cell, residency(row.footprint_bytes, context.results.caches(row)),
                    context.ceilings.of_dram_copy(*cell, backend), context.ceilings.of_nearest_copy(*cell, backend)});
      for (const auto& fraction : {size.of_dram, size.of_size})
        if (fraction) limits.push_back(fraction->ceiling.cell);
      line.points.push_back(
          {row.case_name, static_cast<double>(row.cells), cell->mlups(),
           fmt::format("{}, {}: {} MLUPS, {} µs per step, fits in {}", rung.name, row.case_name, significant(cell->mlups(), 4),
                       significant(cell->microseconds_per_step()), size.fits_in)});
      used.push_back(cell);
    }
    chart.lines.push_back(std::move(line));
  }
  if (used.empty()) return section.note("No rows of these rungs and cases yet.");
  if (const std::string text = finding(sizes, context); !text.empty()) section.find(text);
  std::set<std::string> copies;
  for (const SweptSize& s : sizes)
    if (s.of_dram && copies.insert(s.of_dram->ceiling.name).second)
      chart.levels.emplace_back(s.of_dram->ceiling.cell->mlups(), fmt::format("{} from DRAM", s.of_dram->ceiling.name));
  chart.marks = residency_marks(context, sizes);

  const std::string caption =
      rows_caption(context, used, fmt::format("kind=sample and kind=ceiling, precision={}, tuning {}", precision, tuning));
  const std::vector<const Row*> sources = rows_of(used, limits);
  chart.conclusion = conclusion(sizes, context);
  if (is_drawable(chart))
    section.add(draw_sizes(std::move(chart)),
                caption + " Dashed: sizes at which lattices of that many bytes per site no longer fit in a cache.", sources);
  section.add(make_table(sizes),
              caption +
                  " Fractions above 100 % are flagged, unless the few bytes that the rung declares explain them: see the "
                  "memory level that the case fits in.",
              sources);
  say_what_moves_less(used, section);
  say_foreign(used, section);
}

}  // namespace ladder::reports
