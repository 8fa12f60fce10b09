#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The phases that a table shows: one as a bandwidth, the other as a rate of updates and of operations.
struct PhaseNames {
  std::string moves, computes;
};

/// The rates of the phases, for one rung or for one label of the paper.
struct Rates {
  std::string title;
  double gbytes = unknown;        ///< per second, of `moves`
  Fraction of_copy = {};          ///< ours
  double of_bandwidth = unknown;  ///< fraction of the peak, from the paper
  double mlups = unknown;         ///< of `computes`
  double gflops = unknown;
  Fraction of_fma = {};       ///< ours
  double of_peak = unknown;   ///< fraction of the peak, from the paper
  double sequence = unknown;  ///< MLUPS of both phases in sequence; as printed for the paper
  double step = unknown;      ///< MLUPS of whole steps, ours
};

Rates rates_of_paper(const Paper& paper, const std::string& label, const std::string& case_name, const PhaseNames& phases) {
  const auto value = [&](const std::string& quantity) { return paper.value_or_general(label, case_name, quantity); };
  return {.title = std::string(paper_prefix) + label,
          .gbytes = value(phases.moves + "_bandwidth"),
          .of_bandwidth = value(phases.moves + "_peak_fraction") / 100,
          .mlups = value(phases.computes + "_mlups"),
          .gflops = value(phases.computes + "_gflops"),
          .of_peak = value(phases.computes + "_peak_fraction") / 100,
          .sequence = value("mlups")};
}

/// Rates of a cell, and the ceilings to compare them with.
Rates rates_of(const Context& context, const Cell& cell, const PhaseNames& phases, const std::string& backend,
               std::vector<const Cell*>& limits) {
  const Row& row = *cell.row;
  Rates rates{row_name(row)};
  const Series moved = phase_rates(cell, phases.moves);
  const Series computed = phase_rates(cell, phases.computes);
  rates.gbytes = median(moved) * row.bytes_per_update_minimum / 1e9;
  rates.mlups = median(computed) / 1e6;
  if (row.flops_per_update > 0) rates.gflops = median(computed) * row.flops_per_update / 1e9;
  rates.step = cell.mlups();
  rates.sequence = 1e-6 / (1 / median(moved) + 1 / median(computed));
  if (const auto copy = context.ceilings.dram({pattern_copy(cell), row.precision, backend}, &cell)) {
    rates.of_copy = {paired_ratio(moved, copy->cell->updates_per_second), *copy};
    limits.push_back(copy->cell);
  }
  const auto fma = context.ceilings.dram({"fma", row.precision, backend}, &cell);
  if (fma && fma->flops() > 0 && row.flops_per_update > 0) {
    const double scale = row.flops_per_update / fma->cell->row->flops_per_update;
    rates.of_fma = {paired_ratio(computed, fma->cell->updates_per_second), *fma};
    rates.of_fma.ratio.value *= scale;
    rates.of_fma.ratio.interval = {rates.of_fma.ratio.interval.low * scale, rates.of_fma.ratio.interval.high * scale};
    limits.push_back(fma->cell);
  }
  return rates;
}

TableCell peak_cell(const Fraction& ours, double papers) {
  return ours.ratio.is_known() ? fraction_cell(ours) : percent_cell(papers);
}

Table make_table(const std::vector<Rates>& all, const std::string& case_name, const PhaseNames& phases) {
  const std::string moves = id_slug(phases.moves), computes = id_slug(phases.computes);
  return tabulate(
      "rates-" + case_name, fmt::format("{} and {} as rates, {}", phases.moves, phases.computes, case_name),
      {{"Code", "code", &Rates::title},
       {phases.moves + ", GB/s", moves + "_gbytes_per_s", &Rates::gbytes, Digits{4}},
       {"of peak; ours: of copy", moves + "_fraction", [](const Rates& r) { return peak_cell(r.of_copy, r.of_bandwidth); }},
       {phases.computes + ", MLUPS", computes + "_mlups", &Rates::mlups, Digits{4}},
       {phases.computes + ", GFLOP/s", computes + "_gflops", &Rates::gflops, Digits{4}},
       {"of peak; ours: of fma", computes + "_fraction", [](const Rates& r) { return peak_cell(r.of_fma, r.of_peak); }},
       {"Both in sequence, MLUPS", "sequence_mlups", &Rates::sequence, Digits{4}},
       {"Whole step, MLUPS", "step_mlups", &Rates::step, Digits{4}}},
      all);
}

/// The row with the largest known `value`, where NaN means unknown; null if there is none.
const Rates* largest(const std::vector<Rates>& all, double Rates::*value) {
  const Rates* best = nullptr;
  for (const Rates& r : all)
    if (!std::isnan(r.*value) && (best == nullptr || r.*value > best->*value)) best = &r;
  return best;
}

/// "m/s/1 has the fastest stream, with 72.0 GB/s, 0.464 times the publication's fastest (GPU, 155 GB/s)"; empty if none
/// of our rows has such a rate.
std::string fastest_text(const std::vector<Rates>& ours, const std::vector<Rates>& papers, double Rates::*value,
                         const std::string& phase, const char* unit) {
  const Rates* const our = largest(ours, value);
  if (our == nullptr) return "";
  std::string text = fmt::format("{} has the fastest {}, with {} {}", our->title, phase, significant(our->*value), unit);
  if (const Rates* const paper = largest(papers, value))
    text += fmt::format(", {} times the publication's fastest ({}, {} {})", significant(our->*value / paper->*value),
                        paper->title.substr(paper_prefix.size()), significant(paper->*value), unit);
  return text;
}

/// Our fastest row and the paper's for each phase; empty if we have none.
std::string finding(const std::vector<Rates>& ours, const std::vector<Rates>& papers, const PhaseNames& phases) {
  const std::string moves = fastest_text(ours, papers, &Rates::gbytes, phases.moves, "GB/s");
  const std::string computes = fastest_text(ours, papers, &Rates::mlups, phases.computes, "MLUPS");
  return moves + (moves.empty() || computes.empty() ? "" : "; ") + computes;
}

}  // namespace

void rates(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "initial");
  const std::string backend = block.text("ceilings", "");
  const PhaseNames phases{block.text("moves", "stream"), block.text("computes", "collide")};
  const std::vector<std::string> labels = paper_labels(block, context);
  for (const std::string& case_name : cases) {
    std::vector<Rates> papers;
    for (const std::string& label : labels)
      papers.push_back(rates_of_paper(context.study.paper, label, case_name, phases));
    std::vector<Rates> ours;
    std::vector<const Cell*> used;
    std::vector<const Cell*> limits;
    for (const Cell* cell : cells_of(context, rungs, case_name, precision, tuning)) {
      ours.push_back(rates_of(context, *cell, phases, backend, limits));
      used.push_back(cell);
    }
    if (used.empty()) section.note(fmt::format("{}: no rows of these rungs.", case_name));
    if (const std::string text = finding(ours, papers, phases); !text.empty()) section.find(case_name + ": " + text + ".");
    std::vector<Rates> all = papers;
    std::ranges::copy(ours, std::back_inserter(all));
    if (all.empty()) continue;
    const std::string filter =
        fmt::format("kind=sample and kind=ceiling, case={}, precision={}, tuning {}", case_name, precision, tuning);
    section.add(
        make_table(all, case_name, phases),
        rows_caption(context, used, filter) +
            fmt::format(
                " Medians. {} reads and writes each population once; {} does the counted operations. Our rates are "
                "compared with measured ceilings, the publication's with the peak of its hardware. Its rate for both is "
                "as printed. A rung that fuses both does not have these phases.",
                phases.moves, phases.computes),
        rows_of(used, limits));
  }
}

}  // namespace ladder::reports
