#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// Work and data per update, and the limits of the machine for both.
struct Limits {
  std::string title;
  double flops = 0;      ///< W, operations per update
  double bytes = 0;      ///< D, bytes per update
  double compute = 0;    ///< F, operations per second
  double bandwidth = 0;  ///< B, bytes per second
  double rate = 0;       ///< updates per second

  [[nodiscard]] double arithmetic_ns() const { return 1e9 * flops / compute; }
  [[nodiscard]] double memory_ns() const { return 1e9 * bytes / bandwidth; }
  [[nodiscard]] double measured_ns() const { return 1e9 / rate; }
  /// NaN if either value is unknown.
  [[nodiscard]] double bound_ns() const {
    return std::isnan(arithmetic_ns() + memory_ns()) ? unknown : std::max(arithmetic_ns(), memory_ns());
  }
};

Limits limits_of_paper(const Paper& paper, const std::string& label, const std::string& case_name) {
  const auto value = [&](const char* quantity) { return positive(paper.value_or_general(label, case_name, quantity)); };
  return {std::string(paper_prefix) + label, value("flops_per_update"),     value("bytes_per_update"),
          1e9 * value("peak_gflops"),        1e9 * value("peak_bandwidth"), 1e6 * value("mlups")};
}

/// The larger of the two terms.
const char* larger(const Limits& l) { return l.arithmetic_ns() > l.memory_ns() ? "arithmetic" : "memory"; }

/// "arithmetic, 15.6 ns per update; it reaches 31.2 % of that bound with 50.0 ns".
std::string limit_text(const Limits& l) {
  return fmt::format("{}, {} ns per update; it reaches {} of that bound with {} ns", larger(l), significant(l.bound_ns()),
                     percent(l.bound_ns() / l.measured_ns()), significant(l.measured_ns()));
}

/// The limits of our fastest rung and of the publication. Empty if one of our values is missing.
std::string finding(const std::vector<Limits>& ours, const std::vector<Limits>& papers) {
  const auto fastest = std::ranges::max_element(ours, {}, &Limits::rate);
  if (fastest == ours.end() || std::isnan(fastest->bound_ns())) return "";
  std::string text = fmt::format("the fastest rung, {}, is bound by {}", fastest->title, limit_text(*fastest));
  for (const Limits& l : papers)
    if (!std::isnan(l.bound_ns() / l.rate))
      text += fmt::format(". The publication's {}: {}", l.title.substr(paper_prefix.size()), limit_text(l));
  return text + ".";
}

/// Limits of one code on a machine where another code was measured: the work and data of the first, the ceilings of the second.
struct Swapped {
  std::string code, machine;
  Limits limits;
};
Swapped swapped(const Limits& code, const std::string& name, const Limits& machine) {
  return {code.title, name, {"", code.flops, code.bytes, machine.compute, machine.bandwidth}};
}

/// Keeps the first of each group with equal values; drops entries with unknown values.
std::vector<Limits> distinct(const std::vector<Limits>& all, double Limits::*first, double Limits::*second) {
  std::vector<Limits> kept;
  for (const Limits& l : all)
    if (!std::isnan(l.*first + l.*second) &&
        std::ranges::none_of(kept, [&](const Limits& k) { return k.*first == l.*first && k.*second == l.*second; }))
      kept.push_back(l);
  return kept;
}

/// The publication's codes on this machine, with the ceilings of the fastest rung, and our rungs on the publication's machines.
/// Keeps only the fastest of the rungs with equal work and data.
std::vector<Swapped> with_machines_swapped(std::vector<Limits> ours, const std::vector<Limits>& papers) {
  std::ranges::sort(ours, std::greater(), &Limits::rate);
  const auto machines = [](const std::vector<Limits>& all) { return distinct(all, &Limits::compute, &Limits::bandwidth); };
  const auto codes = [](const std::vector<Limits>& all) { return distinct(all, &Limits::flops, &Limits::bytes); };
  std::vector<Swapped> all;
  if (const std::vector<Limits> known = machines(ours); !known.empty())
    for (const Limits& code : codes(papers))
      all.push_back(swapped(code, "this machine", known.front()));
  for (const Limits& machine : machines(papers))
    for (const Limits& code : codes(ours))
      all.push_back(swapped(code, machine.title, machine));
  return all;
}

}  // namespace

void bound(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "best");
  const std::string backend = block.text("ceilings", "");
  const std::string bandwidth = block.text("bandwidth", "");
  const std::string compute = block.text("compute", "fma");
  const std::vector<std::string> labels = paper_labels(block, context);
  for (const std::string& case_name : cases) {
    std::vector<Limits> papers;
    std::vector<Limits> ours;
    for (const std::string& label : labels)
      papers.push_back(limits_of_paper(context.study.paper, label, case_name));
    std::vector<const Cell*> used;
    std::vector<const Cell*> ceilings;
    for (const Cell* cell : cells_of(context, rungs, case_name, precision, tuning)) {
      const Row& row = *cell->row;
      const auto flops = context.ceilings.dram({compute, precision, backend}, cell);
      const auto bytes = context.ceilings.dram({bandwidth.empty() ? pattern_copy(*cell) : bandwidth, precision, backend}, cell);
      for (const auto& ceiling : {flops, bytes})
        if (ceiling) ceilings.push_back(ceiling->cell);
      ours.push_back({row_name(row), positive(row.flops_per_update), positive(row.dram_bytes_per_update()),
                      flops ? positive(flops->flops()) : unknown, bytes ? positive(bytes->bandwidth()) : unknown,
                      cell->median});
      used.push_back(cell);
    }
    if (used.empty()) section.note(fmt::format("{}: no rows of these rungs.", case_name));
    std::vector<Limits> all = papers;
    all.insert(all.end(), ours.begin(), ours.end());
    if (all.empty()) continue;
    if (const std::string text = finding(ours, papers); !text.empty()) section.find(case_name + ": " + text);
    const std::string filter =
        fmt::format("kind=sample and kind=ceiling, case={}, precision={}, tuning {}", case_name, precision, tuning);
    const auto larger_if_known = [](const Limits& l) { return std::isnan(l.bound_ns()) ? "—" : larger(l); };
    section.add(tabulate("bound-" + case_name, fmt::format("The bound max(W/F, D/B), {}, {}", case_name, precision),
                         {{"Rung", "rung", &Limits::title},
                          {"W, flop", "flops_per_update", &Limits::flops, Digits{4}},
                          {"D, B", "bytes_per_update", &Limits::bytes, Digits{4}},
                          {"F, GFLOP/s", "compute_gflops", [](const Limits& l) { return l.compute / 1e9; }, Digits{4}},
                          {"B, GB/s", "bandwidth_gbytes_per_s", [](const Limits& l) { return l.bandwidth / 1e9; }, Digits{4}},
                          {"W/F, ns", "arithmetic_ns", &Limits::arithmetic_ns},
                          {"D/B, ns", "memory_ns", &Limits::memory_ns},
                          {"Larger", "larger", larger_if_known},
                          {"Bound, ns per update", "bound_ns", &Limits::bound_ns},
                          {"Measured, ns", "measured_ns", &Limits::measured_ns},
                          {"Bound over measured", "bound_fraction",
                           [](const Limits& l) { return share_cell(l.bound_ns() / l.measured_ns()); }}},
                         all),
                rows_caption(context, used, filter) +
                    " W: counted operations; D: bytes of DRAM traffic that the rung declares; F and B: measured ceilings of "
                    "arithmetic and DRAM. The paper's values are those that it states.",
                rows_of(used, ceilings));
    const std::vector<Swapped> swaps = with_machines_swapped(ours, papers);
    if (swaps.empty()) continue;
    section.add(
        tabulate("swapped-" + case_name, fmt::format("The bound with the machines swapped, {}, {}", case_name, precision),
                 {{"Code", "code", &Swapped::code},
                  {"Machine", "machine", &Swapped::machine},
                  {"W, flop", "flops_per_update", [](const Swapped& e) { return e.limits.flops; }, Digits{4}},
                  {"D, B", "bytes_per_update", [](const Swapped& e) { return e.limits.bytes; }, Digits{4}},
                  {"F, GFLOP/s", "compute_gflops", [](const Swapped& e) { return e.limits.compute / 1e9; }, Digits{4}},
                  {"B, GB/s", "bandwidth_gbytes_per_s", [](const Swapped& e) { return e.limits.bandwidth / 1e9; }, Digits{4}},
                  {"W/F, ns", "arithmetic_ns", [](const Swapped& e) { return e.limits.arithmetic_ns(); }},
                  {"D/B, ns", "memory_ns", [](const Swapped& e) { return e.limits.memory_ns(); }},
                  {"Larger", "larger", [](const Swapped& e) { return larger(e.limits); }},
                  {"Bound, ns per update", "bound_ns", [](const Swapped& e) { return e.limits.bound_ns(); }}},
                 swaps),
        rows_caption(context, used, filter) +
            " Here, the publication's W and D are combined with this machine's F and B, and our W and D with the "
            "publication's F and B. Only the fastest of the rungs with equal W and D is shown.",
        rows_of(used, ceilings));
  }
}

}  // namespace ladder::reports
