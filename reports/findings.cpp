#include "reports/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "base/format.hpp"
#include "base/key_values.hpp"
#include "reports/terms.hpp"

namespace ladder::reports {
namespace {

constexpr std::array verdicts = {Verdict::faster, Verdict::slower, Verdict::same, Verdict::unresolved};

/// A value of a finding.
struct Value {
  Term term;
  Interval interval = {};
  std::string text;   ///< as a sentence shows it, with unit and interval
  std::string plain;  ///< the number alone
};

/// The value of a table's field. Takes no thousands separators or units, since TableCell::exact has neither.
std::optional<double> number_in(const TableCell& cell) {
  const std::string& text = cell.exact.empty() ? cell.text : cell.exact;
  double value = 0;
  return read_number(text, value) ? std::optional(value) : std::nullopt;
}

/// Evaluates one block.
class Evaluation {
 public:
  Evaluation(const Parameters& block, const std::vector<Context>& machines, std::size_t machine,
             const std::vector<std::vector<const Section*>>& sections)
      : block_(block),
        values_(block.table("values")),
        machines_(machines),
        machine_(machines.at(machine)),
        place_(machine),
        sections_(sections) {
    defaults_ = {block.text("label", ""), block.text("case", ""), block.text("precision", precision_of(block))};
  }

  Finding finding() {
    Finding found{.name = block_.text("name", ""), .line = block_.line()};
    found.source = block_.text("source", machine_.study.source);
    found.is_of_source = found.source == machine_.results.data().name && machine_.results.data().identity.empty();
    const std::string text = block_.text("text");
    const std::string otherwise = block_.text("otherwise", "");
    const std::string condition = block_.text("holds");
    found.only_docs = block_.flag("only_docs", false);
    const bool is_conjecture = block_.flag("conjecture", false);
    for (const std::string& name : values_.names()) {
      if (std::ranges::find(verdicts, name, [](Verdict v) { return to_string(v); }) != verdicts.end())
        values_.fail(name, "is the name of a verdict; accepted: another name");
      const Term& term = value(name).term;
      if (std::isnan(term.value)) found.missing.push_back(fmt::format("{}: {}", name, term.why));
      found.how += fmt::format("{}{} = {}", found.how.empty() ? "" : "; ", name, term.how);
    }
    // Reads the templates even if values are missing, so that mistakes are found on any machine.
    const std::string filled_in = filled("text", text);
    const std::string denial =
        otherwise.empty() ? fmt::format("Does not hold here ({}): {}", condition, filled_in) : filled("otherwise", otherwise);
    const double truth = evaluate(block_, "holds", condition);
    values_.finish();
    block_.finish();
    for (const auto& [name, value] : known_)
      add_sources(value.term, found);
    found.holds = truth != 0 && !std::isnan(truth);
    // Without the interval that the condition needs, it is neither true nor false.
    if (!found.holds && found.is_known() && lacks_interval_)
      found.missing.push_back("an interval that the condition needs: too few common rounds");
    if (!found.is_known()) return found;
    found.text = found.holds ? (is_conjecture ? "Conjecture: " : "") + filled_in : denial;
    return found;
  }

 private:
  const Value& value(const std::string& name) {
    if (const auto found = known_.find(name); found != known_.end()) return found->second;
    if (std::ranges::find(open_, name) != open_.end()) values_.fail(name, "depends on itself");
    if (!values_.has(name)) block_.fail("values", fmt::format("has no '{}'", name));
    open_.push_back(name);
    const Parameters where = values_.table(name);
    Value made = make(where);
    where.finish();
    open_.pop_back();
    return known_[name] = std::move(made);
  }

  Value make(const Parameters& where) {
    const bool is_percent = where.flag("percent", false);
    const auto digits = static_cast<int>(where.number("digits", 3));
    const std::string own_unit = where.text("unit", "");
    Value made;
    std::string note;
    if (where.has("ratio")) {
      made = ratio(where, note);
    } else if (where.has("verdict")) {
      return verdict(where);
    } else if (where.has("verdicts")) {
      return with_verdict(where);
    } else if (where.has("formula")) {
      made.term = formula(where);
    } else if (where.has("table")) {
      made.term = of_table(where);
    } else {
      made.term = of_machine(where);
    }
    const std::string& unit = where.has("unit") ? own_unit : made.term.unit;
    const double number = made.term.value;
    const bool is_count =
        made.term.rates.empty() && made.term.unit != "×" && number == std::floor(number) && std::abs(number) < 1e15;
    made.plain = is_percent ? percent(number) : is_count ? grouped(std::llround(number)) : significant(number, digits);
    made.text =
        made.plain + (unit.empty() ? "" : (unit == "×" ? "" : " ") + unit) + interval_text(made.interval, digits) + note;
    return made;
  }

  /// The two values that a ratio or verdict names.
  std::array<const Value*, 2> pair(const Parameters& where, const char* kind) {
    const std::vector<std::string> names = where.texts(kind);
    if (names.size() != 2)
      where.fail(kind, fmt::format("has {}; accepted: two names of values", counted(names.size(), "name")));
    std::array<const Value*, 2> both{};
    // References into a map stay valid when it grows.
    std::ranges::transform(names, both.begin(), [&](const std::string& name) { return &value(name); });
    for (const Value* one : both) {
      const Term& term = one->term;
      if (!term.why.empty()) continue;  // not stored here
      if (term.quantity != "mlups" && term.quantity != "step_time")
        where.fail(kind,
                   "names a value that is no rate or time of a rung; accepted: two mlups, or two step_time (else 'formula')");
      if (both[0]->term.why.empty() && term.quantity != both[0]->term.quantity)
        where.fail(kind, "names a rate and a time; accepted: two mlups, or two step_time");
    }
    return both;
  }

  Ratio ratio_of(const std::array<const Value*, 2>& both) const {
    const bool is_time = both[0]->term.quantity == "step_time";
    return paired_ratio(both[is_time ? 1 : 0]->term.rates, both[is_time ? 0 : 1]->term.rates);
  }

  Value ratio(const Parameters& where, std::string& note) {
    const auto both = pair(where, "ratio");
    Value made;
    made.term = both_sources(both);
    made.term.how = fmt::format("{} / {}", both[0]->term.how, both[1]->term.how);
    made.term.unit = "×";
    if (!made.term.why.empty()) return made;
    const Ratio found = ratio_of(both);
    if (found.pairing == Pairing::none) {
      made.term.why = "its cells share no session";
      return made;
    }
    made.term.value = found.value;
    made.interval = found.interval;
    if (found.pairing == Pairing::sessions)
      note = " (without a common round)";
    else if (!found.interval.is_known())
      note = fmt::format(" ({})", counted(found.pairs, "round"));
    return made;
  }

  Value verdict(const Parameters& where) {
    const auto both = pair(where, "verdict");
    Value made;
    made.term = both_sources(both);
    made.term.how = "verdict";
    if (!made.term.why.empty()) return made;
    const Ratio found = ratio_of(both);
    const double floor = floor_of(both);
    const Verdict said = ladder::verdict(found, floor);
    made.term.value = static_cast<double>(std::ranges::find(verdicts, said) - verdicts.begin());
    made.text = made.plain = verdict_text(found, floor);
    return made;
  }

  [[nodiscard]] double floor_of(const std::array<const Value*, 2>& both) const {
    return machine_.results.noise_floor(*both[0]->term.cells.front(), *both[1]->term.cells.front());
  }

  /// Counts the named ratios that have a given verdict, and lists the last part of each one's first rung id, with and without
  /// the ratio.
  Value with_verdict(const Parameters& where) {
    const std::string wanted = where.text("are");
    if (std::ranges::find(verdicts, wanted, [](Verdict v) { return to_string(v); }) == verdicts.end())
      where.fail("are", fmt::format("is '{}'; accepted: faster, slower, same, unresolved", wanted));
    Value made;
    made.term.how = "ratios that are " + wanted;
    std::vector<std::string> rungs;
    std::vector<std::string> ratios;
    for (const std::string& name : where.texts("verdicts")) {
      const Term& ratio = value(name).term;
      const Parameters source = values_.table(name);
      if (!source.has("ratio")) where.fail("verdicts", fmt::format("names '{}'; accepted: names of ratios", name));
      take_sources(made.term, ratio);
      if (!ratio.why.empty()) continue;
      const auto both = pair(source, "ratio");
      if (to_string(ladder::verdict(ratio_of(both), floor_of(both))) != wanted) continue;
      const std::string& rung = both[0]->term.cells.front()->row->rung;
      rungs.push_back(fmt::format("`{}`", rung.substr(rung.rfind('/') + 1)));
      ratios.push_back(fmt::format("{} ({}×)", rungs.back(), significant(ratio.value)));
    }
    made.term.value = made.term.why.empty() ? static_cast<double>(rungs.size()) : unknown;
    made.text = ratios.empty() ? "none" : joined(ratios, ratios.size());
    made.plain = rungs.empty() ? "none" : joined(rungs, rungs.size());
    return made;
  }

  static Term both_sources(const std::array<const Value*, 2>& both) {
    Term term;
    for (const Value* one : both)
      take_sources(term, one->term);
    return term;
  }

  Term formula(const Parameters& where) {
    Term term;
    std::vector<std::string> used;
    const std::string text = where.text("formula");
    term.value = evaluate(where, "formula", text, &used);
    term.how = text;
    for (const std::string& name : used)
      take_sources(term, value(name).term);
    if (term.why.empty() && !std::isfinite(term.value)) term.why = fmt::format("{} is not a number", text);
    if (!term.why.empty()) term.value = unknown;
    return term;
  }

  /// Index of the machine that a value names, or of this one if it names none; nullopt if the study has no results for it.
  [[nodiscard]] std::optional<std::size_t> place_of_machine(const std::string& name) const {
    if (name.empty()) return place_;
    const auto found = std::ranges::find_if(machines_, [&](const Context& c) { return c.results.data().name == name; });
    return found == machines_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - machines_.begin()));
  }

  /// A field of a table of this study's report.
  Term of_table(const Parameters& where) const {
    const std::string id = where.text("table");
    const std::string section = where.text("section", "");
    const std::vector<std::string> row = where.texts("row");
    const std::string column = where.text("column");
    const std::string machine = where.text("machine", "");
    const auto place = place_of_machine(machine);
    if (!place) return {.why = "no results of machine " + machine};
    Term term{.how = fmt::format("[table {}, {}, {}]", id, joined(row), column),
              .why = fmt::format("no table {} has a row {}", id, joined(row))};
    std::size_t matches = 0;
    for (const Section* one : sections_.at(*place))
      for (const Part& part : one->parts) {
        const auto* table = std::get_if<Table>(&part);
        if (table == nullptr || table->id != id || (!section.empty() && section != one->title)) continue;
        const auto at = std::ranges::find(table->columns, column, &Heading::name);
        if (at == table->columns.end()) {
          if (matches == 0) term.why = fmt::format("table {} has no column {}", id, column);
          continue;
        }
        for (const std::vector<TableCell>& fields : table->rows) {
          const auto has = [&](const std::string& text) {
            return std::ranges::find(fields, text, &TableCell::text) != fields.end();
          };
          if (!std::ranges::all_of(row, has)) continue;
          const auto number = number_in(fields[static_cast<std::size_t>(at - table->columns.begin())]);
          term.value = number.value_or(unknown);
          term.why = number ? "" : fmt::format("table {} has no number there", id);
          term.rows = table->sources;
          term.profiles = table->profiles;
          const auto is_named = [&](const auto* r) { return std::ranges::find(row, r->rung) != row.end(); };
          if (table->is_by_rung && (std::ranges::any_of(term.rows, is_named) || std::ranges::any_of(term.profiles, is_named))) {
            std::erase_if(term.rows, [&](const Row* r) { return r->kind != "ceiling" && !is_named(r); });
            std::erase_if(term.profiles, std::not_fn(is_named));
          }
          ++matches;
        }
      }
    if (matches > 1) where.fail("row", fmt::format("is true of {} rows of table {}; accepted: of one", matches, id));
    return term;
  }

  /// A stored or published value of this machine, or of the one that `machine` names.
  Term of_machine(const Parameters& where) const {
    const std::string name = where.text("machine", "");
    const auto place = place_of_machine(name);
    Term term = make_term(where, defaults_, machines_.at(place.value_or(place_)));
    if (!place) term = {.why = "no results of machine " + name};
    return term;
  }

  /// The value of a formula over the finding's values. `name_low` and `name_high` are the ends of an interval.
  double evaluate(const Parameters& where, const char* key, const std::string& text,
                  std::vector<std::string>* used = nullptr) try {
    mu::Parser parser;
    parser.SetExpr(text);
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      parser.DefineConst(to_string(verdicts[i]), static_cast<double>(i));
    std::map<std::string, double> variables;
    for (const auto& [name, unused] : parser.GetUsedVar()) {
      const bool is_end = !values_.has(name) && (name.ends_with("_low") || name.ends_with("_high"));
      const std::string base = is_end ? name.substr(0, name.rfind('_')) : name;
      if (!values_.has(base)) where.fail(key, fmt::format("has '{}', which is no value of this finding", name));
      const Value& of = value(base);
      if (used != nullptr) used->push_back(base);
      variables[name] = !is_end ? of.term.value : name.ends_with("_low") ? of.interval.low : of.interval.high;
      lacks_interval_ = lacks_interval_ || (is_end && !of.interval.is_known());
    }
    for (auto& [name, number] : variables)
      parser.DefineVar(name, &number);
    return parser.Eval();
  } catch (const mu::Parser::exception_type& e) {
    where.fail(key, e.GetMsg());
  }

  /// A template with its `{name}` filled in; `{name.value}` is the number alone, `{name.rung}` and so on name the cell.
  std::string filled(const char* key, const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = std::min(text.find('{', at), text.size());
      out += text.substr(at, open - at);
      if (open == text.size()) break;
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) block_.fail(key, "has '{' without '}'");
      out += shown(key, text.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    return out;
  }

  std::string shown(const char* key, const std::string& placeholder) {
    const std::size_t dot = placeholder.find('.');
    const Value& of = value(placeholder.substr(0, dot));
    if (dot == std::string::npos) return of.text;
    const std::string what = placeholder.substr(dot + 1);
    if (what == "value") return of.plain;
    const std::array accepted = {"value", "rung", "case", "tuning", "device"};
    if (std::ranges::find(accepted, what) == accepted.end())
      block_.fail(key, fmt::format("has '{{{}}}'; accepted after the dot: {}", placeholder, fmt::join(accepted, ", ")));
    if (of.term.cells.empty() && of.term.rows.empty()) return "";
    const Row& row = of.term.cells.empty() ? *of.term.rows.front() : *of.term.cells.front()->row;
    return what == "rung" ? row.rung : what == "case" ? row.case_name : what == "tuning" ? row.tuning : row.device;
  }

  static void add_sources(const Term& term, Finding& finding) {
    const auto add = [](auto& all, const auto& more) {
      all.insert(all.end(), more.begin(), more.end());
      std::ranges::sort(all);
      all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    add(finding.rows, rows_of(term.cells));
    add(finding.rows, term.rows);
    add(finding.profiles, term.profiles);
  }

  const Parameters& block_;
  const Parameters values_;
  const std::vector<Context>& machines_;
  const Context& machine_;
  const std::size_t place_;  ///< of the machine in machines_
  const std::vector<std::vector<const Section*>>& sections_;
  TermDefaults defaults_;
  std::map<std::string, Value> known_;
  std::vector<std::string> open_;  ///< values that are being computed
  bool lacks_interval_ = false;    ///< a formula uses an end of an interval that is unknown
};

}  // namespace

std::vector<Finding> findings_of(const std::vector<Context>& machines, std::size_t machine,
                                 const std::vector<std::vector<const Section*>>& sections) {
  std::vector<Finding> all;
  for (const Parameters& block : machines.at(machine).study.findings)
    all.push_back(Evaluation(block, machines, machine, sections).finding());
  return all;
}

}  // namespace ladder::reports
