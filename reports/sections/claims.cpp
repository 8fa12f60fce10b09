#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/terms.hpp"

namespace ladder::reports {
namespace {

constexpr int digits = 4;  ///< most publications print no more

/// `factor` times the values of `over`, divided by those of `under`. The ratio of two cells' rates is paired by round.
struct Quotient {
  Term term = {};
  std::optional<Ratio> ratio = {};
};

Quotient quotient(const Parameters& row, const TermDefaults& defaults, const Context& context) {
  const double factor = row.number("factor", 1);
  Quotient result{{.value = factor, .how = fmt::format("{}", factor)}, std::nullopt};
  const auto terms = [&](const char* name, const char* sign, bool divides) {
    std::vector<Term> read;
    for (const Parameters& where : row.tables_if_any(name)) {
      const Term& term = read.emplace_back(make_term(where, defaults, context));
      result.term.value = divides ? result.term.value / term.value : result.term.value * term.value;
      result.term.how += sign + term.how;
      take_sources(result.term, term);
    }
    return read;
  };
  const std::vector<Term> over = terms("over", " × ", false), under = terms("under", " / ", true);
  if (factor != 1 || over.size() != 1 || under.size() != 1 || over[0].quantity != under[0].quantity) return result;
  if (over[0].quantity != "mlups" && over[0].quantity != "step_time") return result;
  const Series& above = over[0].rates;
  const Series& below = under[0].rates;
  result.ratio = over[0].quantity == "mlups" ? paired_ratio(above, below) : paired_ratio(below, above);
  result.term.value = result.ratio->value;
  return result;
}

/// The reference for a value: a value of the paper, or one that its wording implies.
struct Stated {
  double value = unknown;
  std::string where, unit, hover;

  /// Whether our value may be compared: times and rates are specific to a machine.
  [[nodiscard]] bool is_pure() const { return unit.empty() || unit == "%"; }
};

Stated read_stated(const Parameters& row, const TermDefaults& defaults, const Context& context) {
  if (!row.has("stated")) {
    const double implied = row.number("implied", unknown);
    return {implied, row.text("where", ""), row.text("unit", ""),
            std::isnan(implied) ? "" : "not printed, but implied by the wording"};
  }
  const Parameters where = row.table("stated");
  const PaperValue& v = look_up(where, defaults, context);
  where.finish();
  return {v.value, row.text("where", v.where), v.unit, ""};
}

/// The relation that the other value must have to the stated one.
std::string read_relation(const Parameters& row) {
  const std::string relation = row.text("relation", "about");
  if (relation == "about" || relation == "at least" || relation == "at most") return relation;
  row.fail("relation", fmt::format("is '{}'; accepted: about, at least, at most", relation));
}

TextCell verdict_cell(const std::string& relation, double stated, double other, double tolerance) {
  if (std::isnan(stated) || std::isnan(other)) return "—";
  const bool agrees = relation == "at least"  ? other >= stated
                      : relation == "at most" ? other <= stated
                                              : std::abs(stated / other - 1) <= tolerance;
  TextCell cell(agrees ? "agrees" : "differs");
  cell.flagged = !agrees;
  return cell;
}

TableCell shown(const Quotient& q) {
  TableCell cell = q.ratio && q.ratio->is_known() ? ratio_cell(*q.ratio) : number_cell(q.term.value, digits);
  cell.hover = std::isnan(q.term.value) ? q.term.why : q.term.how;
  return cell;
}

/// Formats the value "2,368.0" with its unit as "2,368 B".
std::string with_unit(std::string number, const std::string& unit) {
  if (number.find_first_not_of("0123456789.,") == std::string::npos && number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return unit.empty() ? number : number + " " + unit;
}

/// One statement on one case.
struct Claim {
  std::string statement;
  Stated stated;
  Quotient computed = {}, ours = {};
  TextCell verdict = "—", verdict_on_ours = "—";

  [[nodiscard]] double difference() const { return stated.value / computed.term.value - 1; }
};

/// Reports how many verdicts agree with `what` and, for each statement that differs, both values. Adds nothing without a
/// verdict.
void tally(const std::vector<Claim>& all, TextCell Claim::*verdict, Quotient Claim::*value, const char* what,
           const char* source, Section& section) {
  const auto count = [&](const char* text) {
    return std::ranges::count_if(all, [&](const Claim& claim) { return (claim.*verdict).text == text; });
  };
  const auto agreed = count("agrees"), differing = count("differs");
  if (agreed + differing == 0) return;
  std::string differ;
  for (const Claim& claim : all)
    if ((claim.*verdict).text == "differs")
      differ += fmt::format("{}{}: stated {}, {} {}.", differ.empty() ? "" : " ", claim.statement,
                            with_unit(significant(claim.stated.value, digits), claim.stated.unit), source,
                            with_unit(shown(claim.*value).text, claim.stated.unit));
  section.find(fmt::format("Statements that agree with {}: {} of {}.", what, agreed, agreed + differing));
  if (!differ.empty()) section.say(fmt::format("Differing from {}. {}", what, differ));
}

/// The statement on one case; its values are NaN if there is nothing to compare.
Claim claim_of(const Parameters& row, const std::string& statement, const TermDefaults& defaults, double tolerance,
               const Context& context) {
  Claim claim{statement, read_stated(row, defaults, context)};
  const std::string relation = read_relation(row);
  if (!row.has("over") && !row.has("under") && !row.has("ours"))
    row.fail("over", "is missing, and so is 'ours'; accepted: values of paper.csv, or ours");
  if (row.has("over") || row.has("under")) claim.computed = quotient(row, defaults, context);
  if (row.has("ours")) {
    const Parameters where = row.table("ours");
    claim.ours = quotient(where, defaults, context);
    where.finish();
  }
  claim.verdict = verdict_cell(relation, claim.stated.value, claim.computed.term.value, tolerance);
  if (claim.stated.is_pure())
    claim.verdict_on_ours = verdict_cell(relation, claim.stated.value, claim.ours.term.value, tolerance);
  return claim;
}

TableCell stated_cell(const Claim& claim) {
  TableCell cell = number_cell(claim.stated.value, digits);
  cell.hover = claim.stated.hover;
  return cell;
}

TableCell difference_cell(const Claim& claim) {
  if (std::isnan(claim.difference())) return "—";
  TableCell cell(fmt::format("{:+.1f} %", 100 * claim.difference()), claim.difference());
  cell.flagged = claim.verdict.flagged;
  return cell;
}

}  // namespace

void claims(const Parameters& block, const Context& context, Section& section) {
  const double tolerance = block.number("tolerance", 0.05);
  const std::string precision = precision_of(block);
  std::vector<Claim> all;
  Term used;
  const auto add = [&](const Parameters& row, const std::string& statement, const TermDefaults& defaults) {
    Claim claim = claim_of(row, statement, defaults, tolerance, context);
    if (std::isnan(claim.computed.term.value) && std::isnan(claim.ours.term.value)) return;
    take_sources(used, claim.computed.term);
    take_sources(used, claim.ours.term);
    all.push_back(std::move(claim));
  };
  for (const Parameters& row : block.tables("rows")) {
    const std::string statement = row.text("statement");
    TermDefaults defaults{row.text("label", ""), row.text("case", ""), row.text("precision", precision)};
    const std::vector<std::string> cases = row.texts("cases", {});
    if (cases.empty()) add(row, statement, defaults);
    for (const std::string& case_name : cases) {
      defaults.case_name = case_name;
      add(row, statement + ", " + case_name, defaults);
    }
    row.finish();
  }
  if (all.empty()) return section.note("None of the rungs in these statements was measured here.");
  tally(all, &Claim::verdict, &Claim::computed, "the publication's own values", "computed", section);
  tally(all, &Claim::verdict_on_ours, &Claim::ours, "our rows", "ours", section);
  std::string caption = fmt::format(
      "Computed from {} alone; hover over a value for its formula. Differences above {:.0f} % are coloured, unless the "
      "relation is a bound that holds.",
      context.study.paper.path().filename().string(), 100 * tolerance);
  if (!used.cells.empty() || !used.profiles.empty())
    caption += " Ours: " + rows_caption(context, used.cells, "the cells named on hover") +
               " Times and rates of different machines get no verdict.";
  if (!used.profiles.empty()) caption += " " + profiles_caption(context, used.profiles);
  section.add(tabulate("claims", "What the publication states, and what follows from its own values",
                       {{"Statement", "statement", &Claim::statement},
                        {"Where", "where", &Claim::stated, &Stated::where},
                        {"Stated", "stated", stated_cell},
                        {"Computed", "computed", &Claim::computed, shown},
                        {"Unit", "unit", &Claim::stated, &Stated::unit},
                        {"Difference", "difference", difference_cell},
                        {"Verdict", "verdict", &Claim::verdict, &TextCell::text},
                        {"Ours", "ours", &Claim::ours, shown},
                        {"Verdict on ours", "verdict_ours", &Claim::verdict_on_ours}},
                       all),
              std::move(caption), rows_of(used.cells), used.profiles);
}

}  // namespace ladder::reports
