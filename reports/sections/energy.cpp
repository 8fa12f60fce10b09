#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// A rung with energy, and its ratios to the rung that it follows.
struct EnergyLine {
  std::string name;
  Look look{};
  const Cell* cell = nullptr;
  std::string over = {};  ///< name of the other rung; empty if it has no energy or does not exist
  Ratio speed = {};       ///< over the other's
  Ratio energy = {};      ///< per update, over the other's
};

/// Power of a cell in W, the median over its samples.
double watts(const Cell& cell) {
  std::vector<double> all;
  for (const Row* row : cell.rows)
    if (row->joules > 0) all.push_back(row->joules / row->seconds);
  return median(std::move(all));
}

std::vector<EnergyLine> make_lines(const std::vector<const Cell*>& cells, const Context& context) {
  std::vector<std::string> rungs;
  for (const Cell* cell : cells)
    rungs.push_back(cell->row->rung);
  const std::vector<std::string> names = short_names(rungs);
  const std::vector<Look> rung_looks = looks(rungs);
  std::vector<EnergyLine> lines;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EnergyLine line{.name = names[i], .look = rung_looks[i], .cell = cells[i]};
    const RungDescription* described = context.results.rung(rungs[i], cells[i]->row->build);
    const auto parent = described == nullptr ? rungs.end() : std::ranges::find(rungs, described->follows);
    if (parent != rungs.end()) {
      const auto at = static_cast<std::size_t>(parent - rungs.begin());
      line.over = names[at];
      line.speed = paired_ratio(cells[i]->updates_per_second, cells[at]->updates_per_second);
      line.energy = paired_ratio(cells[i]->joules_per_update, cells[at]->joules_per_update);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// 1 or -1 if the interval is above or below 1; 0 if it includes 1 or is unknown.
int sign(const Ratio& ratio) {
  if (!ratio.interval.is_known()) return 0;
  return ratio.interval.low > 1 ? 1 : ratio.interval.high < 1 ? -1 : 0;
}

/// Answers whether rungs that are faster than their predecessor also use less energy.
void say_whether_faster_costs_less(const std::vector<EnergyLine>& lines, const std::string& case_name, Section& section) {
  std::size_t steps = 0;
  std::size_t faster = 0;
  std::vector<std::string> less, more, open;
  for (const EnergyLine& line : lines) {
    if (line.over.empty()) continue;
    ++steps;
    if (sign(line.speed) <= 0) continue;
    ++faster;
    const std::string text = fmt::format("{} {}", line.name, times(line.energy.value));
    (sign(line.energy) < 0 ? less : sign(line.energy) > 0 ? more : open).push_back(text);
  }
  if (steps == 0) return;
  if (faster == 0)
    return section.say(fmt::format(
        "{}: no rung is shown to be faster than the rung that it follows, so their energy is not compared.", case_name));
  const std::string question = case_name + ": does the faster rung also cost less?";
  const std::string of = fmt::format("Of {} shown to be faster than the rung that {} follows", counted(faster, "rung"),
                                     faster == 1 ? "it" : "each");
  if (less.size() == faster || more.size() == faster)
    return section.say(fmt::format("{} {}. {}, {} {} energy per update: {}.", question, more.empty() ? "Yes" : "No", of,
                                   faster == 1 ? "it uses" : "all use", more.empty() ? "less" : "more",
                                   joined(more.empty() ? less : more)));
  std::vector<std::string> parts;
  for (const auto& [name, some] : {std::pair("less", &less), std::pair("more", &more)})
    if (!some->empty())
      parts.push_back(fmt::format("{} {} {} ({})", some->size(), some->size() == 1 ? "uses" : "use", name, joined(*some)));
  if (!open.empty()) parts.push_back(fmt::format("the interval includes 1 for {} ({})", open.size(), joined(open)));
  section.say(
      fmt::format("{} {}. {}: {}.", question, more.empty() ? "Not decided for all" : "Not always", of, fmt::join(parts, "; ")));
}

std::string fastest_and_cheapest(const std::vector<EnergyLine>& lines, const std::string& case_name) {
  const auto speed = [](const EnergyLine& line) { return line.cell->median; };
  const auto energy = [](const EnergyLine& line) { return line.cell->joules_per_giga_update(); };
  const EnergyLine& fastest = *std::ranges::max_element(lines, {}, speed);
  const EnergyLine& cheapest = *std::ranges::min_element(lines, {}, energy);
  const std::string needs = fmt::format("{} J per 10⁹ updates", significant(energy(cheapest)));
  if (&fastest == &cheapest)
    return fmt::format("{}: the fastest rung, {}, also uses the least energy, {}.", case_name, fastest.name, needs);
  return fmt::format("{}: the fastest rung is {}; {} uses the least energy, {}, {} of the fastest rung's.", case_name,
                     fastest.name, cheapest.name, needs,
                     ratio_cell(paired_ratio(cheapest.cell->joules_per_update, fastest.cell->joules_per_update)).text);
}

Table make_table(const std::vector<EnergyLine>& lines, const std::string& case_name, const std::string& precision) {
  const auto name = [](const EnergyLine& line) {
    TextCell cell(line.name);
    cell.exact = row_name(*line.cell->row);
    return cell;
  };
  return tabulate("energy-" + case_name, fmt::format("Speed and energy, {}, {}", case_name, precision),
                  {{"Rung", "rung", name},
                   {"MLUPS", "mlups", &EnergyLine::cell, &Cell::mlups},
                   {"W", "watts", &EnergyLine::cell, watts},
                   {"J per 10⁹ updates", "joules_per_giga_update", &EnergyLine::cell, &Cell::joules_per_giga_update},
                   {"Follows", "follows", [](const EnergyLine& line) { return line.over.empty() ? "—" : line.over; }},
                   {"Speed, ratio", "speed_ratio", &EnergyLine::speed, ratio_cell},
                   {"Energy, ratio", "energy_ratio", &EnergyLine::energy, ratio_cell}},
                  lines);
}

/// Powers 1, 2, 5, 10, … in W, from just below all rungs to just above them.
std::vector<double> round_powers(const std::vector<EnergyLine>& lines) {
  Range range;
  for (const EnergyLine& line : lines)
    range.take(watts(*line.cell));
  std::vector<double> powers;
  for (double decade = 1e-3; decade < 1e9; decade *= 10)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double power = digit * decade;
      if (power <= range.low) powers.clear();
      powers.push_back(power);
      if (power >= range.high) return powers;
    }
  return powers;
}

/// Energy per update against speed on logarithmic axes, with lines of constant power.
std::optional<Figure> make_figure(const std::vector<EnergyLine>& lines, const std::string& title,
                                  const std::string& case_name) {
  Range speed, energy;
  for (const EnergyLine& line : lines) {
    speed.take(line.cell->mlups());
    energy.take(line.cell->joules_per_giga_update());
  }
  for (const double end : {speed.low, speed.high, energy.low, energy.high})
    if (std::isnan(positive(end))) return std::nullopt;
  speed = {speed.low / 1.5, speed.high * 1.5};
  energy = {energy.low / 1.5, energy.high * 1.5};
  Chart chart{.id = "energy-" + case_name,
              .title = title,
              .x = {"MLUPS (further right is faster)", Axis::Scale::logarithmic, speed, true},
              .y = {"J per 10⁹ updates (lower is cheaper)", Axis::Scale::logarithmic, energy, true}};
  int dashes = 0;
  for (const double power : round_powers(lines)) {
    const auto y = [&](double x) { return 1000 * power / x; };
    chart.series.push_back({fmt::format("{} W", power),
                            {color::muted, 0},
                            2 + dashes++ % 4,
                            false,
                            {{speed.low, y(speed.low)}, {speed.high, y(speed.high)}}});
  }
  for (const EnergyLine& line : lines) {
    const double rate = line.cell->mlups(), joules = line.cell->joules_per_giga_update();
    const std::string hover =
        fmt::format("{}: {} MLUPS, {} J per 10⁹ updates", line.name, significant(rate), significant(joules));
    chart.series.push_back({line.name, line.look, 0, false, {{.x = rate, .y = joules, .hover = hover, .label = line.name}}});
  }
  return draw(chart);
}

}  // namespace

void energy(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "initial");
  for (const std::string& case_name : cases) {
    std::vector<const Cell*> cells = cells_of(context, rungs, case_name, precision, tuning);
    const std::size_t measured = cells.size();
    std::erase_if(cells, [](const Cell* cell) { return cell->joules_per_update.empty(); });
    if (cells.empty()) {
      section.note(fmt::format("{}, {}: {}.", case_name, precision,
                               measured == 0
                                   ? "no rows of these rungs"
                                   : "no sample has energy; docs/measuring.md (\"Energy\") explains how to request it"));
      continue;
    }
    const std::vector<EnergyLine> lines = make_lines(cells, context);
    const std::string caption =
        rows_caption(context, cells, fmt::format("kind=sample, case={}, precision={}", case_name, precision)) + " " +
        energy_caption(cells);
    std::string reading =
        " W is energy over time. Ratios compare each rung with the one that it follows: a speed above 1 is faster, an energy "
        "below 1 is less.";
    if (cells.size() < measured)
      reading += fmt::format(" {} without energy left out.", counted(measured - cells.size(), "rung"));
    section.add(make_table(lines, case_name, precision), caption + reading, rows_of(cells));
    say_whether_faster_costs_less(lines, case_name, section);
    const std::string cheapest = fastest_and_cheapest(lines, case_name);
    section.say(cheapest);
    std::optional<Figure> figure =
        make_figure(lines, figure_title(context, "Energy against speed", {case_name, precision}), case_name);
    if (!figure) continue;
    figure->conclusion = cheapest;
    section.add(*std::move(figure), caption + " Grey lines mark constant power.", rows_of(cells));
  }
}

}  // namespace ladder::reports
