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
  std::vector<double> seconds;  ///< time spent in the steps so far, if the series has it
};

std::vector<double> numbers(const CsvFile& file, const std::string& column) {
  std::vector<double> all;
  const std::size_t at = file.column(column);
  for (const CsvRecord& r : file.records())
    all.push_back(file.number(r, at));
  return all;
}

/// Values over the run (which ends at 1): computed values as points, exact values as a line. They are either relative to the
/// initial value, or absolute without it.
Figure draw_runs(const std::vector<CaseSeries>& all, const std::string& value, const std::string& title, bool is_relative) {
  const Axis relative{value + ", relative to the start (log scale)", Axis::Scale::logarithmic, {1, 1}};
  const Axis absolute{value, Axis::Scale::linear, {0, 0}};
  Chart chart{.id = "series",
              .title = title,
              .x = {"fraction of the run", Axis::Scale::linear, {0, 1}},
              .y = is_relative ? relative : absolute};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CaseSeries& s = all[i];
    Curve points{s.case_name, our_look(i)}, line{"exact", {color::muted, 0}, 1};
    for (std::size_t k = is_relative ? 0 : 1; k < s.step.size(); ++k) {
      const auto add = [&](Curve& to, double y) {
        if ((y > 0 || !is_relative) && std::isfinite(y))
          to.points.push_back({.x = s.step[k] / s.step.back(),
                               .y = y,
                               .hover = fmt::format("{}, step {:.0f}: {}", to.name, s.step[k], significant(y, 4))});
      };
      add(points, is_relative ? s.value[k] / s.value.front() : s.value[k]);
      if (!s.exact.empty()) add(line, is_relative ? s.exact[k] / s.exact.front() : s.exact[k]);
    }
    chart.series.push_back(std::move(points));
    if (i + 1 == all.size() && !line.points.empty()) chart.series.push_back(std::move(line));
  }
  std::erase_if(chart.series, [](const Curve& s) { return s.points.empty(); });
  return draw(chart);
}

/// The power of the side with which the error at the end falls from the previous case; NaN if either case has no error.
double order_of(const CaseSeries& before, const CaseSeries& s) {
  if (before.error.empty() || s.error.empty()) return unknown;
  return std::log(before.error.back() / s.error.back()) / std::log(s.side / before.side);
}

/// The error at the end of the last case and its order; without errors, the value there.
std::string end_text(const std::vector<CaseSeries>& all, bool is_relative) {
  const CaseSeries& last = all.back();
  if (last.error.empty() && !is_relative)
    return fmt::format("{}: the value at the end is {}.", last.case_name, significant(last.value.back()));
  if (last.error.empty())
    return fmt::format("{}: the value at the end is {} of the initial value.", last.case_name,
                       significant(last.value.back() / last.value.front()));
  std::string text = fmt::format("{}: the error at the end is {}", last.case_name, significant(last.error.back()));
  if (all.size() > 1)
    if (const double order = order_of(*(&last - 1), last); std::isfinite(order))
      text += fmt::format("; it falls from {} with order {:.2f}", (&last - 1)->case_name, order);
  return text + ".";
}

/// The values at the end of each run, and the order of convergence from the case before, as a power of the side.
Table make_table(const std::vector<CaseSeries>& all) {
  const auto last = [](std::vector<double> CaseSeries::*column) {
    return [column](const CaseSeries& s) { return (s.*column).empty() ? unknown : (s.*column).back(); };
  };
  const auto order = [&](const CaseSeries& s) { return &s == all.data() ? unknown : order_of(*(&s - 1), s); };
  return tabulate("series", "At the end of the run",
                  {{"Case", "case", &CaseSeries::case_name},
                   {"Sites", "sites", &CaseSeries::sites, count_cell},
                   {"Steps", "steps", last(&CaseSeries::step), count_cell},
                   {"Value", "value", last(&CaseSeries::value), Digits{4}},
                   {"Exact", "exact", last(&CaseSeries::exact), Digits{4}},
                   {"Error", "error", last(&CaseSeries::error), Digits{4}},
                   {"Order", "order", order, two_decimals},
                   {"Seconds in steps", "seconds", last(&CaseSeries::seconds), Digits{4}}},
                  all);
}

}  // namespace

void series(const Parameters& block, const Context& context, Section& section) {
  const std::string value = block.text("value");
  const std::string exact = block.text("exact", "");
  const std::string error = block.text("error", "");
  const bool is_relative = block.flag("relative", true);
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
                 {},
                 {}};
    if (!exact.empty()) s.exact = numbers(file, exact);
    if (!error.empty()) s.error = numbers(file, error);
    for (auto* known : {&s.exact, &s.error})  // a flow without an exact solution has no error
      if (std::ranges::none_of(*known, [](double v) { return std::isfinite(v); })) known->clear();
    if (file.has("seconds")) s.seconds = numbers(file, "seconds");
    if (s.step.empty() || !(s.step.back() > 0)) {
      section.note(fmt::format("{}: the stored series has no end.", case_name));
      continue;
    }
    all.push_back(std::move(s));
    flows.push_back(flow);
  }
  if (all.empty()) return;
  const std::string caption = flows_caption(context, flows);
  if (!is_relative || std::ranges::any_of(all, [](const CaseSeries& s) { return s.value.front() > 0; })) {
    Figure figure = draw_runs(all, words(value), figure_title(context, words(value) + " over the run", {}), is_relative);
    figure.conclusion = end_text(all, is_relative);
    section.add(std::move(figure),
                caption + (all.back().exact.empty() ? "" : " The line is the exact solution of the last case."));
  }
  section.add(
      make_table(all),
      caption + (error.empty() ? "" : " The order is the power of the side with which the error falls from the case above."));
}

}  // namespace ladder::reports
