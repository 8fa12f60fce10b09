#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// One build over the cases.
struct Build {
  std::string tag, compiler, flags;
  std::vector<const Cell*> cells;  ///< one per case, nullptr if there is none
  std::vector<Ratio> speedups;     ///< over the baseline, one per case
};

std::vector<Build> make_builds(const Context& context, const std::string& rung, const std::vector<std::string>& patterns,
                               const std::vector<std::string>& cases, const std::string& precision) {
  std::vector<Build> builds;
  for (const Cell* cell :
       context.results.all({.rung = rung, .build = "", .case_name = "", .precision = precision, .tuning = ""})) {
    const std::string& tag = cell->row->build;
    if (!matches_any(patterns, tag) || std::ranges::find(builds, tag, &Build::tag) != builds.end()) continue;
    Build build{tag, "", "", {}, {}};
    if (const RungDescription* d = context.results.rung(rung, tag); d != nullptr && d->build == tag) {
      build.compiler = d->compiler;
      build.flags = d->flags;
    }
    for (const std::string& c : cases) {
      build.cells.push_back(context.results.choose({.rung = rung, .build = tag, .case_name = c, .precision = precision}));
    }
    builds.push_back(std::move(build));
  }
  std::ranges::sort(builds, {}, &Build::tag);
  return builds;
}

/// The named build or, if `name` is empty, the build with the lowest rate on its first measured case.
const Build* baseline_of(const std::vector<Build>& builds, const std::string& name, const Parameters& block) {
  if (!name.empty()) {
    const auto found = std::ranges::find(builds, name, &Build::tag);
    if (found != builds.end()) return &*found;
    std::vector<std::string> tags;
    for (const Build& b : builds)
      tags.push_back(b.tag);
    block.fail("baseline", fmt::format("is '{}', which has no rows; accepted: {}", name, joined(tags, 40)));
  }
  const auto rate = [](const Build& b) {
    for (const Cell* cell : b.cells) {
      if (cell != nullptr) return cell->median / static_cast<double>(cell->row->cells);
    }
    return std::numeric_limits<double>::infinity();
  };
  const auto found = std::ranges::min_element(builds, {}, rate);
  return found == builds.end() ? nullptr : &*found;
}

/// `gcc-O2` → `gcc`.
std::string compiler_family(const std::string& tag) { return tag.substr(0, tag.find('-')); }

Table make_table(const std::vector<Build>& builds, const std::vector<std::string>& cases, const std::string& baseline) {
  std::vector<Column<Build>> columns = {
      {"Build", "build", &Build::tag}, {"Compiler", "compiler", &Build::compiler}, {"Flags", "flags", &Build::flags}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    columns.emplace_back(
        cases[i] + ", µs per step", id_slug(cases[i]) + "_us_per_step", [i](const Build& b) { return b.cells[i]; }, time_cell);
    columns.emplace_back(
        "speed-up", id_slug(cases[i]) + "_speedup", [i](const Build& b) { return b.speedups[i]; }, ratio_cell);
  }
  return tabulate("flags", "Compilers and flags; speed-up over " + baseline, columns, builds);
}

Figure make_figure(const std::vector<Build>& builds, const std::vector<std::string>& cases, const std::string& baseline,
                   const std::string& title) {
  RowChart chart{.id = "flags",
                 .title = title,
                 .x = {"speed-up over " + baseline + ", with 95 % interval", Axis::Scale::linear, {0, 1}},
                 .rows = {},
                 .lanes = {}};
  for (std::size_t i = 0; i < builds.size(); ++i) {
    if (i > 0 && compiler_family(builds[i].tag) != compiler_family(builds[i - 1].tag)) chart.rules.push_back(i);
    chart.rows.push_back(builds[i].tag);
  }
  for (std::size_t c = 0; c < cases.size(); ++c) {
    Lane lane{cases[c], our_look(c), static_cast<int>(c)};
    for (std::size_t i = 0; i < builds.size(); ++i)
      if (const Ratio& r = builds[i].speedups[c]; r.is_known())
        lane.bars.push_back({.row = i,
                             .value = r.value,
                             .text = times(r.value),
                             .hover = fmt::format("{}, {}: {}", builds[i].tag, cases[c], ratio_cell(r).text),
                             .interval = r.interval});
    chart.lanes.push_back(std::move(lane));
  }
  return draw(chart);
}

}  // namespace

void flags(const Parameters& block, const Context& context, Section& section) {
  const std::string rung = block.text("rung");
  std::vector<std::string> cases = block.texts("cases");
  const std::string precision = precision_of(block);
  const std::vector<std::string> patterns = block.texts("builds", {"*"});
  const std::string named_baseline = block.text("baseline", "");
  std::erase_if(cases, [&](const std::string& c) {
    return context.results.all({.rung = rung, .build = "", .case_name = c, .precision = precision}).empty();
  });
  std::vector<Build> builds = make_builds(context, rung, patterns, cases, precision);
  if (builds.empty() || cases.empty()) return section.note(fmt::format("No rows of {} with these builds yet.", rung));
  const Build baseline = *baseline_of(builds, named_baseline, block);
  std::vector<const Cell*> cells;
  for (Build& b : builds) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const bool both = b.cells[i] != nullptr && baseline.cells[i] != nullptr;
      b.speedups.push_back(both ? paired_ratio(b.cells[i]->updates_per_second, baseline.cells[i]->updates_per_second)
                                : Ratio{});
      if (b.cells[i] != nullptr) cells.push_back(b.cells[i]);
    }
  }
  std::string fastest;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto gain = [&](const Build& b) { return b.speedups[i].is_known() ? b.speedups[i].value : 0; };
    const Build& best = *std::ranges::max_element(builds, {}, gain);
    if (!(gain(best) > 0) || best.tag == baseline.tag) continue;
    fastest =
        fmt::format("{}: {} is the fastest, {} over {}.", cases[i], best.tag, ratio_cell(best.speedups[i]).text, baseline.tag);
    section.find(fastest);
  }
  const std::string caption = rows_caption(context, cells, fmt::format("kind=sample, rung={}, precision={}", rung, precision));
  section.add(make_table(builds, cases, baseline.tag), caption, rows_of(cells));
  Figure figure = make_figure(builds, cases, baseline.tag,
                              figure_title(context, "Speed-up of each build over " + baseline.tag, {rung, precision}));
  figure.conclusion = fastest;
  section.add(std::move(figure), caption, rows_of(cells));
}

}  // namespace ladder::reports
