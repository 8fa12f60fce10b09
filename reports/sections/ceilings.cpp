#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "base/format.hpp"
#include "reports/data_sheet.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

constexpr std::size_t fewest_sizes = 3;  ///< for drawing a line

TableCell threads_cell(const Cell& cell) { return cell.row->threads == 0 ? "device" : std::to_string(cell.row->threads); }

/// Bandwidth relative to the data sheet; — for ceilings other than DRAM bandwidth.
TableCell data_sheet_cell(const Ceiling& ceiling, const Context& context) {
  const bool is_of_memory =
      ceiling.name.starts_with("copy") || matches_any({"scale", "add", "triad"}, ceiling.name);  // not of a connection
  if (!is_of_memory || !context.ceilings.is_dram_sized(ceiling)) return "—";
  return percent_cell(ceiling.bandwidth() / data_sheet_bandwidth(*ceiling.cell->row));
}

Table make_table(const std::string& id, const std::string& title, const std::vector<Ceiling>& ceilings,
                 const Context& context) {
  return tabulate(id, title,
                  {{"Ceiling", "name", &Ceiling::name},
                   {"Backend", "backend", &Ceiling::backend},
                   {"Precision", "precision", &Ceiling::cell, &Cell::row, &Row::precision},
                   {"Store", "store", &Ceiling::store},
                   {"Threads", "threads", &Ceiling::cell, threads_cell},
                   {"Working set", "working_set_bytes", &Ceiling::bytes, bytes_cell},
                   {"GB/s", "gbytes_per_s", [](const Ceiling& c) { return c.bandwidth() / 1e9; }},
                   {"of data sheet", "of_data_sheet", [&](const Ceiling& c) { return data_sheet_cell(c, context); }},
                   {"GFLOP/s", "gflops", [](const Ceiling& c) { return c.flops() / 1e9; }},
                   {"µs an event", "us_per_event", [](const Ceiling& c) { return c.latency() * 1e6; }},
                   {"Samples", "samples", &Ceiling::cell, &Cell::updates_per_second, &Series::size}},
                  ceilings);
}

/// For each backend, name, precision and store, the ceiling with the largest working set, if it is of DRAM size. Includes all
/// limits that move no bytes and all on-chip limits.
std::vector<Ceiling> large_ones(const std::vector<Ceiling>& ceilings, const Context& context) {
  std::vector<Ceiling> large;
  for (const Ceiling& c : ceilings) {
    const bool has_size = c.bandwidth() > 0 && !c.is_on_chip();
    const bool has_larger = std::ranges::any_of(ceilings, [&](const Ceiling& o) {
      return o.backend == c.backend && o.name == c.name && o.cell->row->precision == c.cell->row->precision &&
             o.store == c.store && o.bytes > c.bytes;
    });
    if (!has_size || (context.ceilings.is_dram_sized(c) && !has_larger)) large.push_back(c);
  }
  return large;
}

/// One line of the sweep.
struct Sweep {
  std::string name;
  std::map<double, const Ceiling*> by_size;
};

std::vector<Sweep> sweeps_of(const std::vector<Ceiling>& ceilings, const std::string& precision) {
  std::map<std::tuple<std::string, std::string, std::string>, Sweep> sweeps;
  for (const Ceiling& c : ceilings) {
    if (c.cell->row->precision != precision || !(c.bandwidth() > 0) || c.bytes <= 0) continue;
    Sweep& sweep = sweeps[{c.backend, c.name, c.store}];
    sweep.name = fmt::format("{} {}{}", c.backend, c.name, c.store.empty() ? "" : ", " + c.store);
    const Ceiling*& best = sweep.by_size[c.bytes];
    if (best == nullptr || c.bandwidth() > best->bandwidth()) best = &c;
  }
  std::vector<Sweep> result;
  for (auto& [key, sweep] : sweeps) {
    if (sweep.by_size.size() >= fewest_sizes) result.push_back(std::move(sweep));
  }
  return result;
}

/// The highest bandwidth at any working set, and at the largest one.
std::string highest_text(const std::vector<Sweep>& sweeps, const std::string& precision) {
  const Ceiling *highest = nullptr, *largest = nullptr;
  for (const Sweep& sweep : sweeps)
    for (const auto& [bytes, c] : sweep.by_size) {
      if (highest == nullptr || c->bandwidth() > highest->bandwidth()) highest = c;
      if (largest == nullptr || std::pair(bytes, c->bandwidth()) > std::pair(largest->bytes, largest->bandwidth())) largest = c;
    }
  const auto text = [](const Ceiling& c) {
    return fmt::format("{} GB/s at {} ({} {})", significant(c.bandwidth() / 1e9), binary_bytes(c.bytes), c.backend, c.name);
  };
  return fmt::format("{}: the highest bandwidth is {}{}.", precision, text(*highest),
                     highest == largest ? "" : ", and " + text(*largest));
}

Figure make_figure(const std::vector<Sweep>& sweeps, const Context& context, const std::string& precision) {
  Chart chart{.id = "ceilings-" + precision,
              .title = figure_title(context, "Bandwidth by working set", {precision}),
              .x = {"working set (log scale)", Axis::Scale::bytes},
              .y = {"bandwidth, GB/s (log scale)", Axis::Scale::logarithmic}};
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    Curve& series = chart.series.emplace_back(
        Curve{sweeps[i].name, {i % 2 == 0 ? color::ink : color::muted, point_type(i)}, 1 + static_cast<int>(i) % 5});
    for (const auto& [bytes, c] : sweeps[i].by_size)
      series.points.push_back({.x = bytes,
                               .y = c->bandwidth() / 1e9,
                               .hover = fmt::format("{}: {} GB/s", describe(*c), significant(c->bandwidth() / 1e9))});
    for (const CacheLevel& cache : context.results.caches(*sweeps[i].by_size.begin()->second->cell->row))
      add_once(chart.marks, {cache.total(), cache.name() + " " + binary_bytes(cache.total())});
  }
  Figure figure = draw(chart);
  figure.conclusion = highest_text(sweeps, precision);
  return figure;
}

}  // namespace

void ceilings(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> precisions = block.texts("precisions", number_names());
  const std::vector<std::string> names = block.texts("names", {"*"});
  const std::vector<std::string> backends = block.texts("backends", {"*"});
  std::vector<Ceiling> chosen;
  for (const Ceiling& c : context.ceilings.all()) {
    const bool is_of_precision = c.cell->row->precision.empty() || matches_any(precisions, c.cell->row->precision);
    if (is_of_precision && matches_any(names, c.name) && matches_any(backends, c.backend)) chosen.push_back(c);
  }
  if (chosen.empty()) return section.note("No ceilings are stored yet.");
  std::ranges::stable_sort(
      chosen, {}, [](const Ceiling& c) { return std::tuple(c.backend, c.name, c.cell->row->precision, c.bytes, c.store); });
  const auto cells_of = [](const std::vector<Ceiling>& some) {
    std::vector<const Cell*> cells;
    std::ranges::transform(some, std::back_inserter(cells), &Ceiling::cell);
    return cells;
  };
  const std::vector<const Cell*> cells = cells_of(chosen);
  if (const std::string finding = strongest(chosen, context); !finding.empty()) section.find(finding);
  const std::string caption = rows_caption(context, cells, fmt::format("kind=ceiling, precision={}", joined(precisions)));
  const std::vector<Ceiling> large = large_ones(chosen, context);
  if (!large.empty())
    section.add(make_table("ceilings", "Memory, on-chip and arithmetic limits", large, context),
                caption +
                    " Memory working sets are at least 4 times the size of the largest cache. Bytes are those that the pattern "
                    "reads and writes.",
                rows_of(cells_of(large)));
  for (const std::string& precision : precisions)
    if (const std::vector<Sweep> sweeps = sweeps_of(chosen, precision); !sweeps.empty())
      section.add(make_figure(sweeps, context, precision), caption, rows_of(cells));
  Table all = make_table("ceilings-all", "All ceilings", chosen, context);
  all.is_folded = true;
  section.add(std::move(all), caption, rows_of(cells));
}

}  // namespace ladder::reports
