#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// Indices of the table's columns.
constexpr std::size_t column_of_stated = 2, column_of_computed = 3, column_of_unit = 4, column_of_verdict = 6,
                      column_of_ours = 7, column_of_verdict_on_ours = 8;
constexpr int digits = 4;  ///< most publications print no more

/// Properties that all values of a row share, so that each need not repeat them.
struct Defaults {
  std::string label, case_name, precision;
};

/// A value with the formula that it came from.
struct Term {
  double value = unknown;
  std::string how = {};
  std::vector<const Cell*> cells = {};  ///< our cells that it came from
  std::vector<const Profile*> profiles = {};
  std::string quantity = {};  ///< of a single cell
  Series rates = {};          ///< updates per second of the cell, or of one of its phases
  std::string why = {};       ///< why the value is unknown
};

/// The paper's value that `where` selects by label, case and quantity. @throws InputError if paper.csv lacks it
const PaperValue& look_up(const Parameters& where, const Defaults& defaults, const Context& context) {
  const std::string label = where.text("label", defaults.label);
  const std::string case_name = where.text("case", defaults.case_name);
  const std::string quantity = where.text("quantity");
  if (const PaperValue* value = context.study.paper.find(label, case_name, quantity)) return *value;
  where.fail("quantity",
             fmt::format("is '{}' of '{}' for case '{}', which {} lacks; accepted: a quantity, label and case of one of "
                         "its rows",
                         quantity, label, case_name, context.study.paper.path().string()));
}

std::string describe(const PaperValue& v) {
  std::string text = v.label.empty() ? v.quantity : v.label + ", " + v.quantity;
  if (!v.case_name.empty()) text += ", " + v.case_name;
  return fmt::format("{} = {} {}", text, significant(v.value, 4), v.unit);
}

Term of_paper(const Parameters& where, const Defaults& defaults, const Context& context) {
  const PaperValue& v = look_up(where, defaults, context);
  return {.value = v.value, .how = "[" + describe(v) + "]"};
}

/// Time of one kernel launch in µs, from the latest profile.
Term of_kernel(const std::string& kernel, const CellQuery& query, const Context& context) {
  const Profile* found = context.results.latest_profile([&](const Profile& p) {
    return p.kind == "kernel" && p.kernel == kernel && matches(query.rung, p.rung) && p.case_name == query.case_name &&
           p.precision == query.precision;
  });
  if (found == nullptr) return {.why = fmt::format("no counters of {} in {}, {}", kernel, query.rung, query.case_name)};
  const double value = found->microseconds_per_launch();
  return {.value = value,
          .how = fmt::format("[{} of {}, {}: {} µs]", kernel, found->rung, found->case_name, significant(value, 4)),
          .profiles = {found}};
}

/// A quantity of one of our cells.
Term of_rung(const Parameters& where, const Defaults& defaults, const Context& context) {
  const CellQuery query{.rung = where.text("rung"),
                        .case_name = where.text("case", defaults.case_name),
                        .precision = where.text("precision", defaults.precision),
                        .tuning = where.text("tuning", "best")};
  const std::string quantity = where.text("quantity", "mlups");
  const std::string kernel = where.text("kernel", "");
  if (!kernel.empty()) return of_kernel(kernel, query, context);
  const std::string phase = where.text("phase", "");
  const Cell* cell = context.results.choose(query);
  Series rates;
  if (cell != nullptr) rates = phase.empty() ? cell->updates_per_second : phase_rates(*cell, phase);
  const double rate = median(rates), cells = cell == nullptr ? unknown : static_cast<double>(cell->row->cells);
  const std::map<std::string, std::pair<double, const char*>> values = {
      {"mlups", {rate / 1e6, "MLUPS"}},
      {"step_time", {1e6 * cells / rate, "µs per step"}},
      {"queue_time", {cell == nullptr ? unknown : 1e6 * median(cell->queue_seconds), "µs to queue a step"}},
      {"cells", {cells, "cells"}},
      {"bandwidth", {cell == nullptr ? unknown : rate * cell->row->bytes_per_update_minimum / 1e9, "GB/s"}}};
  const auto value = values.find(quantity);
  if (value == values.end())
    where.fail("quantity", fmt::format("is '{}'; accepted: mlups, step_time, queue_time, bandwidth, cells", quantity));
  if (cell == nullptr) return {.why = fmt::format("{}, {}: {}", query.rung, query.case_name, why_missing(context, query))};
  if (quantity == "queue_time" && cell->queue_seconds.empty())
    return {.why = fmt::format("{}, {}: no queue times", query.rung, query.case_name)};
  if (rates.empty()) return {.why = fmt::format("{}, {}: no times for phase '{}'", query.rung, query.case_name, phase)};
  const auto [number, unit] = value->second;
  return {
      .value = number,
      .how = fmt::format("[{}{} = {} {}]", cell->describe(), phase.empty() ? "" : ", " + phase, significant(number, 4), unit),
      .cells = {cell},
      .quantity = quantity,
      .rates = std::move(rates)};
}

/// A ceiling of DRAM size in GB/s, or the ceiling of an event in µs.
Term of_ceiling(const Parameters& where, const Context& context) {
  const CeilingQuery query{where.text("ceiling"), where.text("precision", ""), where.text("backend", "")};
  const std::optional<Ceiling> ceiling = context.ceilings.dram(query, nullptr);
  if (!ceiling) return {.why = "ceiling " + query.name + ": not measured"};
  const bool is_event = !std::isnan(ceiling->latency());
  const double value = is_event ? 1e6 * ceiling->latency() : ceiling->bandwidth() / 1e9;
  return {.value = value,
          .how = fmt::format("[{} = {} {}]", describe(*ceiling), significant(value, 4), is_event ? "µs" : "GB/s"),
          .cells = {ceiling->cell}};
}

Term make_term(const Parameters& where, const Defaults& defaults, const Context& context);

/// Adds the cells and profiles of `part` to those of `whole`, and the reason if `part` is unknown.
void take_sources(Term& whole, const Term& part) {
  whole.cells.insert(whole.cells.end(), part.cells.begin(), part.cells.end());
  whole.profiles.insert(whole.profiles.end(), part.profiles.begin(), part.profiles.end());
  if (whole.why.empty()) whole.why = part.why;
}

Term sum_of(const std::vector<Parameters>& parts, const Defaults& defaults, const Context& context) {
  Term sum{.value = 0};
  for (const Parameters& part : parts) {
    const Term term = make_term(part, defaults, context);
    sum.value += term.value;
    sum.how += (sum.how.empty() ? "(" : " + ") + term.how;
    take_sources(sum, term);
  }
  sum.how += ")";
  return sum;
}

/// A published or measured value, or a scaled sum of several.
Term make_term(const Parameters& where, const Defaults& defaults, const Context& context) {
  Term term = where.has("sum")       ? sum_of(where.tables("sum"), defaults, context)
              : where.has("rung")    ? of_rung(where, defaults, context)
              : where.has("ceiling") ? of_ceiling(where, context)
                                     : of_paper(where, defaults, context);
  if (where.has("factor")) {
    const double factor = where.number("factor", 1);
    term.value *= factor;
    term.how = fmt::format("{} × {}", factor, term.how);
    term.quantity.clear();
  }
  where.finish();
  return term;
}

/// `factor` times the values of `over`, divided by those of `under`. The ratio of two cells' rates is paired by round.
struct Quotient {
  Term term;
  std::optional<Ratio> ratio;
};

Quotient quotient(const Parameters& row, const Defaults& defaults, const Context& context) {
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

Stated read_stated(const Parameters& row, const Defaults& defaults, const Context& context) {
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
Term add_row(const Parameters& row, const std::string& statement, const Defaults& defaults, double tolerance,
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
    Defaults defaults{row.text("label", ""), row.text("case", ""), row.text("precision", precision)};
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
