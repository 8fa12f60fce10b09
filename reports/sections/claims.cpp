#include <fmt/format.h>

#include <cmath>

#include "reports/sections/common.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

/// The paper's number that `where` names by label, case and quantity. @throws InputError if paper.csv lacks it.
const PaperValue& look_up(const Parameters& where, const Context& context) {
  const std::string label = where.text("label", "");
  const std::string case_name = where.text("case", "");
  const std::string quantity = where.text("quantity");
  where.finish();
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

/// Whether the stated number agrees with the computed one in the row's `relation`.
bool agree(const Parameters& row, double stated, double computed, double tolerance) {
  const std::string relation = row.text("relation", "about");
  if (relation == "about") return std::abs(stated / computed - 1) <= tolerance;
  if (relation == "at least") return computed >= stated;
  row.fail("relation", fmt::format("is '{}'; accepted: about, at least", relation));
}

}  // namespace

void claims(const Parameters& block, const Context& context, Section& section) {
  Table table{"claims",
              "What the publication states, and what its own numbers give",
              "",
              {{"Statement", "statement", false},
               {"Where", "where", false},
               {"Stated", "stated"},
               {"Computed", "computed"},
               {"Unit", "unit", false},
               {"Difference", "difference"},
               {"Verdict", "verdict", false}},
              {}};
  const double tolerance = block.number("tolerance", 0.05);
  for (const Parameters& row : block.tables("rows")) {
    const PaperValue stated = look_up(row.table("stated"), context);
    double computed = row.number("factor", 1);
    std::string hover = fmt::format("{}", computed);
    for (const Parameters& over : row.tables("over")) {
      const PaperValue& v = look_up(over, context);
      computed *= v.value;
      hover += " × [" + describe(v) + "]";
    }
    for (const Parameters& under : row.tables_if_any("under")) {
      const PaperValue& v = look_up(under, context);
      computed /= v.value;
      hover += " / [" + describe(v) + "]";
    }
    const double difference = stated.value / computed - 1;
    TableCell shown = number_cell(computed);
    shown.hover = hover;
    const bool agrees = agree(row, stated.value, computed, tolerance);
    TableCell off(fmt::format("{:+.1f} %", 100 * difference), difference);
    off.flagged = !agrees;
    table.rows.push_back({row.text("statement"), stated.where, number_cell(stated.value), shown, stated.unit, off,
                          agrees ? "agrees" : "differs"});
    row.finish();
  }
  table.caption =
      fmt::format("From {} alone; rest the pointer on a computed number for how. Differences beyond {:.0f} % are coloured.",
                  context.study.paper.path().filename().string(), 100 * tolerance);
  section.parts.emplace_back(std::move(table));
}

}  // namespace ladder::reports
