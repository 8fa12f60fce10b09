#include "reports/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/format.hpp"
#include "reports/limits.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

/// `d2q9` of `d2q9/serial/03_soa`.
std::string model_of(const Cell& cell) { return cell.row->rung.substr(0, cell.row->rung.find('/')); }

std::size_t rungs_in(const std::vector<const Cell*>& cells) {
  std::set<std::string> rungs;
  for (const Cell* cell : cells)
    rungs.insert(cell->row->rung);
  return rungs.size();
}

/// Index of a precision in the list of number formats.
std::ptrdiff_t place_of(const std::string& precision) {
  return std::ranges::find(numbers, precision, &Number::name) - numbers.begin();
}

/// The cells of the model and precision that have the most rungs.
std::vector<const Cell*> main_cells(const Results& results) {
  std::map<std::string, std::vector<const Cell*>> by_model;
  for (const Cell& cell : results.cells())
    if (!cell.row->is_foreign()) by_model[model_of(cell)].push_back(&cell);
  const auto model = std::ranges::max_element(by_model, {}, [](const auto& m) { return rungs_in(m.second); });
  if (model == by_model.end()) return {};
  std::map<std::ptrdiff_t, std::vector<const Cell*>> by_precision;
  for (const Cell* cell : model->second)
    by_precision[place_of(cell->row->precision)].push_back(cell);
  return std::ranges::max_element(by_precision, {}, [](const auto& p) { return rungs_in(p.second); })->second;
}

/// The cells of the largest case that at least two rungs have, or of the largest case if no two rungs share one.
std::vector<const Cell*> largest_case(const std::vector<const Cell*>& cells) {
  std::map<std::string, std::vector<const Cell*>> by_case;
  for (const Cell* cell : cells)
    by_case[cell->row->case_name].push_back(cell);
  const auto rank = [](const auto& c) {
    const std::size_t rungs = rungs_in(c.second);
    return std::tuple(rungs > 1, c.second.front()->row->cells, rungs);
  };
  return std::ranges::max_element(by_case, {}, rank)->second;
}

double rate(const Cell* cell) { return cell->median; }

/// The rung's name, followed by the settings that distinguish this cell from the rung's other cells.
std::string name_of(const Cell& cell) {
  std::vector<std::string> parts;
  if (cell.row->build != "default" && !cell.row->build.empty()) parts.push_back("build " + cell.row->build);
  if (!cell.row->tuning.empty()) parts.push_back(cell.row->tuning);
  if (!cell.row->placement.empty()) parts.push_back(cell.row->placement);
  return parts.empty() ? cell.row->rung : fmt::format("{} ({})", cell.row->rung, joined(parts));
}

/// "1.12× [1.10, 1.14]", with a remark in words if the values are not paired by round.
std::string ratio_text(const Ratio& ratio) {
  std::string text = times(ratio.value) + interval_text(ratio.interval);
  if (ratio.pairing == Pairing::sessions) text += " (without a common round)";
  if (ratio.pairing == Pairing::none) text += " (from different sessions)";
  return text;
}

/// "1.12× [1.10, 1.14] as fast as d2q9/serial/03_soa".
std::string gain_over(const Cell& cell, const Cell& before) {
  return fmt::format("{} as fast as {}", ratio_text(paired_ratio(cell.updates_per_second, before.updates_per_second)),
                     before.row->rung);
}

/// The fastest cell of another rung, if the rows do not show that it is slower than `fastest`: the interval of their ratio
/// includes 1, or the ratio is within the noise. Null if there are too few rounds for an interval.
std::string indistinguishable(const Cell& fastest, std::vector<const Cell*> cells, const Context& context) {
  std::erase_if(cells, [&](const Cell* c) { return c->row->rung == fastest.row->rung; });
  if (cells.empty()) return "";
  const Cell& second = **std::ranges::max_element(cells, {}, rate);
  return tie_text(context, fastest, second, second.row->rung);
}

std::string fastest_sentence(const Cell& fastest, const std::vector<const Cell*>& cells, const Context& context) {
  const Row& row = *fastest.row;
  const std::string on = row.device.empty() ? "" : " on " + row.device;
  return fmt::format("{}, {}: the fastest rung is {} with {} MLUPS{}{}.", row.case_name, row.precision, name_of(fastest),
                     significant(fastest.mlups()), on, indistinguishable(fastest, cells, context));
}

/// The cell of a rung to compare `cell` with: the fastest on the same memory, preferably with the same build and number of
/// threads.
const Cell* peer_of(const Cell& cell, const std::string& rung, const std::vector<const Cell*>& cells, const Context& context) {
  const Cell* best = nullptr;
  const auto rank = [&](const Cell* c) {
    return std::tuple(share_session(cell, *c), c->row->build == cell.row->build, c->row->workers() == cell.row->workers(),
                      c->median);
  };
  for (const Cell* c : cells) {
    if (c->row->rung != rung || !context.results.share_memory(*c->row, *cell.row)) continue;
    if (best == nullptr || rank(best) < rank(c)) best = c;
  }
  return best;
}

/// Cells of the rungs that `cell` follows, directly or indirectly, from its predecessor back to the first.
std::vector<const Cell*> ancestors(const Cell& cell, const std::vector<const Cell*>& cells, const Context& context) {
  std::vector<const Cell*> found;
  std::set<std::string> seen{cell.row->rung};
  const RungDescription* rung = context.results.rung(cell.row->rung, cell.row->build);
  while (rung != nullptr && !rung->follows.empty() && seen.insert(rung->follows).second) {
    if (const Cell* peer = peer_of(cell, rung->follows, cells, context)) found.push_back(peer);
    rung = context.results.rung(rung->follows, "default");
  }
  return found;
}

/// The step with the largest gain over the fastest rung before it, and its idea: "; the largest gain of a step is 3.00× by
/// m/s/2 (one kernel)". So a step that only makes up for a slower one gains nothing. `chain` leads from the fastest cell to the
/// first rung. Neighbours count as a step only if one follows the other. Empty if no step gains, or if its rung states no idea.
std::string largest_gain(const std::vector<const Cell*>& chain, const Context& context) {
  std::string text;
  double most = 1;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const RungDescription* rung = context.results.rung(chain[i]->row->rung, chain[i]->row->build);
    if (rung == nullptr || rung->idea.empty() || rung->follows != chain[i + 1]->row->rung) continue;
    const Cell& before = **std::max_element(chain.begin() + static_cast<std::ptrdiff_t>(i) + 1, chain.end(),
                                            [](const Cell* a, const Cell* b) { return a->median < b->median; });
    const Ratio gain = paired_ratio(chain[i]->updates_per_second, before.updates_per_second);
    if (!(gain.value > most)) continue;
    most = gain.value;
    text = fmt::format("; the largest gain of a step is {} by {} ({})", ratio_text(gain), rung->id, rung->idea);
  }
  return text;
}

/// Empty if none of the rungs that it follows was measured.
std::string gain_sentence(const Cell& fastest, const std::vector<const Cell*>& cells, const Context& context) {
  const std::vector<const Cell*> before = ancestors(fastest, cells, context);
  if (before.empty()) return "";
  std::vector<const Cell*> chain{&fastest};
  chain.insert(chain.end(), before.begin(), before.end());
  const Cell& first = *before.back();
  const RungDescription* description = context.results.rung(first.row->rung, first.row->build);
  const bool is_first = description == nullptr || description->follows.empty();
  std::string text =
      fmt::format("It is {}, the {} of its ladder", gain_over(fastest, first), is_first ? "first rung" : "first measured rung");
  if (before.size() == 1) return text + largest_gain(chain, context) + ".";
  const Cell& parent = *before.front();
  const RungDescription* own = context.results.rung(fastest.row->rung, fastest.row->build);
  const bool is_parent = own != nullptr && own->follows == parent.row->rung;
  return text + fmt::format(", and {}, the {} before it{}.", gain_over(fastest, parent), is_parent ? "rung" : "measured rung",
                            largest_gain(chain, context));
}

/// Empty if no limit is known.
std::string limit_sentence(const Cell& cell, const Context& context) {
  const std::vector<Limit> limits = limits_of(cell, context);
  const Limit* least = lowest(limits);
  if (least == nullptr) return "";
  std::vector<std::string> known;
  for (const Limit& limit : limits)
    if (limit.cell != nullptr) known.push_back(limit_text(limit));
  const double share = cell.median / least->rate;
  const bool is_only = known.size() == 1;
  const std::string doubt = is_only ? ", which does not explain its rate" : "; none of them explains its rate";
  return fmt::format("{} in MLUPS: {}. It reaches {} of {}{}.", is_only ? "Its limit" : "Its limits", fmt::join(known, "; "),
                     percent(share), is_only ? "it" : fmt::format("the lowest, {}", least->title),
                     share < limiting ? doubt : "");
}

/// Counts the outcomes of the cells without a time and gives the first reason: "No rung has a time: 2 skipped (no GPU)".
std::string failure_sentence(const Results& results) {
  if (results.failures().empty() && results.withheld().empty()) return "";
  std::map<std::string, std::size_t> outcomes;
  for (const Failure& f : results.failures())
    ++outcomes[f.row->outcome];
  if (!results.withheld().empty()) outcomes["withheld"] = results.withheld().size();
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : outcomes)
    parts.push_back(fmt::format("{} {}", count, outcome));
  const std::string reason =
      results.failures().empty()
          ? results.withheld().front().cell.row->rung + ": " + results.withheld().front().why
          : results.failures().front().row->rung +
                (results.failures().front().row->reason.empty() ? "" : ": " + results.failures().front().row->reason);
  std::set<std::string> foreign;
  for (const Cell& cell : results.cells())
    if (cell.row->is_foreign()) foreign.insert(cell.row->rung);
  const std::string timed = foreign.empty() ? "No rung has a time"
                                            : fmt::format("Only programs from outside this project have a time ({})",
                                                          joined(std::vector<std::string>(foreign.begin(), foreign.end())));
  return fmt::format("{}: {}; the first is {}.", timed, joined(parts), reason);
}

}  // namespace

std::vector<std::string> answer(const Context& context) {
  std::vector<std::string> sentences;
  const std::vector<const Cell*> all = main_cells(context.results);
  if (all.empty()) {
    sentences = {failure_sentence(context.results)};
    if (sentences.front().empty()) sentences = {strongest(context.ceilings.all(), context)};
  } else {
    const std::vector<const Cell*> cells = largest_case(all);
    const Cell& fastest = **std::ranges::max_element(cells, {}, rate);
    sentences = {fastest_sentence(fastest, cells, context), gain_sentence(fastest, cells, context),
                 limit_sentence(fastest, context)};
  }
  std::erase(sentences, "");
  return sentences;
}

std::vector<const Row*> answer_rows(const Context& context) {
  const std::vector<const Cell*> all = main_cells(context.results);
  if (all.empty()) return {};
  const std::vector<const Cell*> cells = largest_case(all);
  return (*std::ranges::max_element(cells, {}, rate))->rows;
}

}  // namespace ladder::reports
