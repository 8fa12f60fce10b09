#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.hpp"
#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// A case's time series: moments of its run, and the columns that a section asks for.
struct CaseSeries {
  std::string case_name;
  double side = 0;  ///< root of the number of sites: the side of a cube or a square
  double sites = 0;
  std::vector<double> step, value, exact, error;
};

std::vector<double> numbers(const CsvFile& file, const std::string& column) {
  std::vector<double> all;
  const std::size_t at = file.column(column);
  for (const CsvRecord& r : file.records())
    all.push_back(file.number(r, at));
  return all;
}

/// Values over the run (which ends at 1), relative to the start: computed values as points, exact values as a line.
Figure draw(const std::vector<CaseSeries>& all, const std::string& value) {
  int longest = text_width("exact");
  for (const CaseSeries& s : all)
    longest = std::max(longest, text_width(s.case_name));
  Plot plot(570 + longest, 440);
  plot.add("{}", margins(plot, 100, longest + 85, 20, 70));
  double low = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CaseSeries& s = all[i];
    std::vector<std::vector<Datum>> points, line;
    for (std::size_t k = 0; k < s.step.size(); ++k) {
      const double time = s.step[k] / s.step.back();
      const auto add = [&](std::vector<std::vector<Datum>>& to, double y) {
        if (!(y > 0) || !std::isfinite(y)) return;
        to.push_back({time, y});
        low = std::min(low, y);
      };
      add(points, s.value[k] / s.value.front());
      if (!s.exact.empty()) add(line, s.exact[k] / s.exact.front());
    }
    if (!points.empty())
      plot.draw("{} using 1:2 with points pt {} ps 0.8 lc rgb '{}' title {}", plot.data(points), point_type(i),
                color::series(i), plot_string(s.case_name));
    if (!line.empty() && i + 1 == all.size())
      plot.draw("{} using 1:2 with lines lw 1.5 lc rgb '{}' title 'exact'", plot.data(line), color::ink);
  }
  plot.add("set logscale y 10\nset xrange [0:1]\nset yrange [{}:{}]\n{}", low / 1.3, 1.3, log_ticks("y", low / 1.3, 1.3));
  plot.add("set xlabel 'fraction of the run'\nset ylabel {}\nset grid ls 1\n{}", plot_string(value + ", relative to the start"),
           key_at_right(plot, longest));
  return {"series", fmt::format("{} over the run", value), "", std::move(plot)};
}

/// The values at the end of each run, and the order of convergence from the case before, as a power of the side.
Table make_table(const std::vector<CaseSeries>& all) {
  const auto last = [](std::vector<double> CaseSeries::*column) {
    return [column](const CaseSeries& s) { return (s.*column).empty() ? unknown : (s.*column).back(); };
  };
  const auto order = [&](const CaseSeries& s) {
    if (&s == all.data() || s.error.empty()) return unknown;
    const CaseSeries& before = *(&s - 1);
    return std::log(before.error.back() / s.error.back()) / std::log(s.side / before.side);
  };
  return tabulate("series", "At the end of the run",
                  {{"Case", "case", &CaseSeries::case_name},
                   {"Sites", "sites", &CaseSeries::sites, count_cell},
                   {"Steps", "steps", last(&CaseSeries::step), count_cell},
                   {"Value", "value", last(&CaseSeries::value), Digits{4}},
                   {"Exact", "exact", last(&CaseSeries::exact), Digits{4}},
                   {"Error", "error", last(&CaseSeries::error), Digits{4}},
                   {"Order", "order", order, two_decimals}},
                  all);
}

}  // namespace

void series(const Parameters& block, const Context& context, Section& section) {
  const std::string value = block.text("value");
  const std::string exact = block.text("exact", "");
  const std::string error = block.text("error", "");
  std::vector<CaseSeries> all;
  std::vector<Flow> flows;
  for (const std::string& case_name : block.texts("cases")) {
    const auto stored = flows_of(block, context, "series", case_name);
    if (stored.empty()) {
      section.note(fmt::format("{}: no series is stored.", case_name));
      continue;
    }
    const Flow& flow = stored.begin()->second;
    const CsvFile file = read_flow_file(context.results.data().folder / flow.file);
    const double sites = cells_in_case(context, case_name);
    CaseSeries s{case_name,
                 std::pow(sites, 1 / sides_of_kind(context, case_name)),
                 sites,
                 numbers(file, "step"),
                 numbers(file, value),
                 {},
                 {}};
    if (!exact.empty()) s.exact = numbers(file, exact);
    if (!error.empty()) s.error = numbers(file, error);
    if (s.step.empty() || !(s.step.back() > 0)) {
      section.note(fmt::format("{}: the stored series has no end.", case_name));
      continue;
    }
    all.push_back(std::move(s));
    flows.push_back(flow);
  }
  if (all.empty()) return;
  const std::string caption = flows_caption(context, flows);
  if (std::ranges::any_of(all, [](const CaseSeries& s) { return s.value.front() > 0; }))
    section.add(draw(all, value), caption + (exact.empty() ? "" : " The line is the exact solution of the last case."));
  section.add(make_table(all), caption + " The order is the power of the side with which the error falls from the case above.");
}

}  // namespace ladder::reports
