#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// Height and mean of each row, by step.
using Profiles = std::map<std::int64_t, std::vector<std::pair<double, double>>>;

Profiles read_profiles(const std::filesystem::path& path, const std::string& value) {
  const CsvFile file = read_flow_file(path);
  const std::size_t step = file.column("step");
  const std::size_t y = file.column("y");
  const std::size_t mean = file.column(value);
  Profiles profiles;
  for (const CsvRecord& r : file.records())
    profiles[file.integer(r, step)].emplace_back(file.number(r, y), file.number(r, mean));
  if (profiles.empty()) throw FileError(path, 1, "holds no rows of the lattice; accepted: one line per row and moment");
  return profiles;
}

std::string line_name(std::int64_t step) { return fmt::format("step {}", grouped(step)); }

/// The mean of each row against its height, with one line per moment.
Figure draw_profiles(const Profiles& profiles, const std::string& id, const std::string& value, const std::string& title) {
  Chart chart{.id = id, .title = title, .x = {"y, sites"}, .y = {fmt::format("mean {}, lattice units", words(value))}};
  std::size_t i = 0;
  for (const auto& [step, rows] : profiles) {
    Curve& line = chart.series.emplace_back(Curve{line_name(step), {color::ours(i), 0}, 1 + static_cast<int>(i / 3 % 5)});
    for (const auto& [y, mean] : rows)
      line.points.push_back({.x = y, .y = std::isfinite(mean) ? mean : unknown});
    ++i;
  }
  Figure figure = draw(chart);
  Range range;
  for (const auto& [y, mean] : profiles.rbegin()->second)
    range.take(mean);
  figure.conclusion = fmt::format("At {}, the mean {} of a row ranges from {} to {}.", line_name(profiles.rbegin()->first),
                                  words(value), significant(range.low), significant(range.high));
  return figure;
}

Table make_table(const Profiles& profiles, const std::string& case_name, const std::string& value) {
  using Means = std::tuple<std::int64_t, double, double, double>;  // step, lowest, mean, highest
  std::vector<Means> all;
  for (const auto& [step, rows] : profiles) {
    Range range;
    double sum = 0;
    for (const auto& [y, mean] : rows) {
      range.take(mean);
      sum += mean;
    }
    all.emplace_back(step, range.low, sum / static_cast<double>(rows.size()), range.high);
  }
  return tabulate("layers-" + case_name + "-" + value, fmt::format("Mean {} of the rows, {}", value, case_name),
                  {{"Step", "step", nth<0>, count_cell},
                   {"Lowest", "lowest", nth<1>, Digits{5}},
                   {"Mean of the rows", "mean", nth<2>, Digits{5}},
                   {"Highest", "highest", nth<3>, Digits{5}}},
                  all);
}

}  // namespace

void layers(const Parameters& block, const Context& context, Section& section) {
  const std::string value = block.text("value");
  for (const std::string& case_name : block.texts("cases")) {
    const auto stored = flows_of(block, context, "layers", case_name);
    if (stored.empty()) {
      section.note(fmt::format("{}: no row means are stored.", case_name));
      continue;
    }
    const Flow& flow = stored.begin()->second;
    const Profiles profiles = read_profiles(context.results.data().folder / flow.file, value);
    const std::string caption = flows_caption(context, {flow});
    section.add(draw_profiles(profiles, "layers-" + case_name + "-" + value, value,
                              figure_title(context, "Mean " + words(value) + " of each row", {case_name})),
                caption);
    section.add(make_table(profiles, case_name, value), caption);
  }
}

}  // namespace ladder::reports
