#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/terms.hpp"

namespace ladder::reports {
namespace {

/// Indices of the table's columns.
constexpr std::size_t column_of_stated = 2, column_of_computed = 3, column_of_unit = 4, column_of_verdict = 6,
                      column_of_ours = 7, column_of_verdict_on_ours = 8;
constexpr int digits = 4;  ///< most publications print no more

/// `factor` times the values of `over`, divided by those of `under`. The ratio of two cells' rates is paired by round.
struct Quotient {
  Term term;
  std::optional<Ratio> ratio;
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

TableCell verdict_cell(const std::string& relation, double stated, double other, double tolerance) {
  if (std::isnan(stated) || std::isnan(other)) return "—";
  const bool agrees = relation == "at least"  ? other >= stated
                      : relation == "at most" ? other <= stated
                                              : std::abs(stated / other - 1) <= tolerance;
  TableCell cell(agrees ? "agrees" : "differs");
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

/// Reports how many verdicts in a column agree with `what` and, for each statement that differs, both values. Adds nothing if
/// the column has no verdict.
void tally(const Table& table, std::size_t verdict, std::size_t number, const char* what, const char* source,
           Section& section) {
  std::size_t agreed = 0, all = 0;
  std::string differ;
  for (const std::vector<TableCell>& row : table.rows) {
    if (row[verdict].text == "agrees") ++agreed;
    if (row[verdict].text == "agrees" || row[verdict].text == "differs") ++all;
    if (row[verdict].text == "differs")
      differ += fmt::format("{}{}: stated {}, {} {}.", differ.empty() ? "" : " ", row[0].text,
                            with_unit(row[column_of_stated].text, row[column_of_unit].text), source,
                            with_unit(row[number].text, row[column_of_unit].text));
  }
  if (all == 0) return;
  section.find(fmt::format("Statements that agree with {}: {} of {}.", what, agreed, all));
  if (!differ.empty()) section.say(fmt::format("Differing from {}. {}", what, differ));
}

/// Adds the row of one case, unless there is nothing to compare. Returns the cells and profiles behind our value.
Term add_row(const Parameters& row, const std::string& statement, const TermDefaults& defaults, double tolerance,
             const Context& context, Table& table) {
  const Stated stated = read_stated(row, defaults, context);
  const std::string relation = read_relation(row);
  if (!row.has("over") && !row.has("under") && !row.has("ours"))
    row.fail("over", "is missing, and so is 'ours'; accepted: values of paper.csv, or ours");
  Quotient computed{{}, std::nullopt};
  if (row.has("over") || row.has("under")) computed = quotient(row, defaults, context);
  Quotient ours{{}, std::nullopt};
  if (row.has("ours")) {
    const Parameters where = row.table("ours");
    ours = quotient(where, defaults, context);
    where.finish();
  }
  if (std::isnan(computed.term.value) && std::isnan(ours.term.value)) return {};
  TableCell stated_cell = number_cell(stated.value, digits);
  stated_cell.hover = stated.hover;
  const double difference = stated.value / computed.term.value - 1;
  TableCell off = std::isnan(difference) ? TableCell("—") : TableCell(fmt::format("{:+.1f} %", 100 * difference), difference);
  const TableCell verdict = verdict_cell(relation, stated.value, computed.term.value, tolerance);
  off.flagged = verdict.flagged;
  TableCell computed_cell = shown(computed);
  table.rows.push_back({statement, stated.where, stated_cell, computed_cell, stated.unit, off, verdict.text, shown(ours),
                        stated.is_pure() ? verdict_cell(relation, stated.value, ours.term.value, tolerance) : "—"});
  take_sources(computed.term, ours.term);
  return computed.term;
}

}  // namespace

void claims(const Parameters& block, const Context& context, Section& section) {
  Table table{"claims",
              "What the publication states, and what follows from its own values",
              {{"Statement", "statement", false},
               {"Where", "where", false},
               {"Stated", "stated"},
               {"Computed", "computed"},
               {"Unit", "unit", false},
               {"Difference", "difference"},
               {"Verdict", "verdict", false},
               {"Ours", "ours"},
               {"Verdict on ours", "verdict_ours", false}}};
  const double tolerance = block.number("tolerance", 0.05);
  const std::string precision = precision_of(block);
  Term used;
  for (const Parameters& row : block.tables("rows")) {
    const std::string statement = row.text("statement");
    TermDefaults defaults{row.text("label", ""), row.text("case", ""), row.text("precision", precision)};
    const std::vector<std::string> cases = row.texts("cases", {});
    if (cases.empty()) take_sources(used, add_row(row, statement, defaults, tolerance, context, table));
    for (const std::string& case_name : cases) {
      defaults.case_name = case_name;
      take_sources(used, add_row(row, statement + ", " + case_name, defaults, tolerance, context, table));
    }
    row.finish();
  }
  if (table.rows.empty()) return section.note("None of the rungs in these statements was measured here.");
  table.caption = fmt::format(
      "Computed from {} alone; hover over a value for its formula. Differences above {:.0f} % are coloured, unless the "
      "relation is a bound that holds.",
      context.study.paper.path().filename().string(), 100 * tolerance);
  tally(table, column_of_verdict, column_of_computed, "the publication's own values", "computed", section);
  tally(table, column_of_verdict_on_ours, column_of_ours, "our rows", "ours", section);
  if (!used.cells.empty() || !used.profiles.empty()) {
    table.caption += " Ours: " + rows_caption(context, used.cells, "the cells named on hover") +
                     " Times and rates of different machines get no verdict.";
    if (!used.profiles.empty()) table.caption += " " + profiles_caption(context, used.profiles);
    table.sources = rows_of(used.cells);
  } else {
    table.drop_column(column_of_verdict_on_ours);
    table.drop_column(column_of_ours);
  }
  section.parts.emplace_back(std::move(table));
}

}  // namespace ladder::reports
