#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

constexpr std::size_t fewest_sizes = 3;  ///< for drawing a line

TableCell threads_cell(const Cell& cell) { return cell.row->threads == 0 ? "device" : std::to_string(cell.row->threads); }

Table make_table(const std::string& id, const std::string& title, const std::vector<Ceiling>& ceilings) {
  return tabulate(id, title,
                  {{"Ceiling", "name", &Ceiling::name},
                   {"Backend", "backend", &Ceiling::backend},
                   {"Precision", "precision", &Ceiling::cell, &Cell::row, &Row::precision},
                   {"Store", "store", &Ceiling::store},
                   {"Threads", "threads", &Ceiling::cell, threads_cell},
                   {"Working set", "working_set_bytes", &Ceiling::bytes, bytes_cell},
                   {"GB/s", "gbytes_per_s", [](const Ceiling& c) { return c.bandwidth() / 1e9; }},
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

/// A vertical line at the size of each cache, with its name above the frame.
void mark_caches(Plot& plot, const std::vector<CacheLevel>& caches, const Range& x) {
  for (const CacheLevel& cache : caches) {
    if (cache.total() < x.low || cache.total() > x.high) continue;
    plot.add("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '{1}'", cache.total(), color::muted);
    plot.add("set label {} at first {}, graph 1 offset 0,0.7 center tc rgb '{}' font ',11'",
             plot_string(cache.name() + " " + binary_bytes(cache.total())), cache.total(), color::muted);
  }
}

Figure make_figure(const std::vector<Sweep>& sweeps, const Context& context, const std::string& precision) {
  int longest = 0;
  Range x, y;
  for (const Sweep& s : sweeps) {
    longest = std::max(longest, text_width(s.name));
    for (const auto& [bytes, c] : s.by_size) {
      x.take(bytes);
      y.take(c->bandwidth() / 1e9);
    }
  }
  x = {x.low / 1.5, x.high * 1.5};
  y = {y.low / 1.5, y.high * 1.5};
  Plot plot(662 + longest, std::max(440, 100 + 23 * static_cast<int>(sweeps.size())));
  plot.add("{}", margins(plot, 92, longest + 85, 40, 60));
  plot.add("set logscale x 2\nset logscale y 10\nset xrange [{}:{}]\nset yrange [{}:{}]", x.low, x.high, y.low, y.high);
  plot.add("{}\n{}", byte_ticks("x", x.low, x.high), log_ticks("y", y.low, y.high));
  plot.add("set xlabel 'working set (log scale)'\nset ylabel 'bandwidth, GB/s (log scale)'\nset grid ls 1");
  plot.add("{}", key_at_right(plot, longest));
  std::set<const std::vector<CacheLevel>*> marked;  // so that the caches of each processor and device are marked once
  for (const Sweep& s : sweeps) {
    const std::vector<CacheLevel>& caches = context.results.caches(*s.by_size.begin()->second->cell->row);
    if (marked.insert(&caches).second) mark_caches(plot, caches, x);
  }
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    std::vector<std::vector<Datum>> rows;
    for (const auto& [bytes, c] : sweeps[i].by_size) {
      rows.push_back(
          {bytes, c->bandwidth() / 1e9, Hover{fmt::format("{}: {} GB/s", describe(*c), significant(c->bandwidth() / 1e9))}});
    }
    plot.draw(
        "{0} using 1:2 with linespoints pt {1} ps 0.7 lw 1.5 lc rgb '{2}' title {3}, "
        "{0} using 1:2:3 with labels hypertext point pt {1} ps 0.7 lc rgb '{2}' notitle",
        plot.data(rows), point_type(i), color::series(i), plot_string(sweeps[i].name));
  }
  return {"ceilings-" + precision, fmt::format("Bandwidth against working set, {}", precision), "", std::move(plot)};
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
    section.add(make_table("ceilings", "Memory, on-chip and arithmetic limits", large),
                caption +
                    " Memory working sets are at least 4 times the size of the largest cache. Bytes are those that the pattern "
                    "reads and writes.",
                rows_of(cells_of(large)));
  for (const std::string& precision : precisions)
    if (const std::vector<Sweep> sweeps = sweeps_of(chosen, precision); !sweeps.empty())
      section.add(make_figure(sweeps, context, precision), caption, rows_of(cells));
  Table all = make_table("ceilings-all", "All ceilings", chosen);
  all.is_folded = true;
  section.add(std::move(all), caption, rows_of(cells));
}

}  // namespace ladder::reports
