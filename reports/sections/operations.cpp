#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// One form of the collision, and the rungs that use it.
struct Form {
  OperationCounts operations;
  std::vector<std::string> rungs;
};

std::vector<Form> forms_of(const std::vector<const RungDescription*>& rungs) {
  std::vector<Form> forms;
  for (const RungDescription* rung : rungs) {
    for (const OperationCounts& o : rung->operations) {
      auto found = std::ranges::find_if(forms, [&](const Form& f) {
        return f.operations.form == o.form && f.operations.total == o.total && f.operations.counts == o.counts;
      });
      if (found == forms.end()) found = forms.insert(forms.end(), {o, {}});
      const bool is_used = rung->collision.empty() || rung->collision == o.form;
      if (is_used) add_once(found->rungs, rung->id);
    }
  }
  return forms;
}

/// Names of operations in the order in which the forms first mention them.
std::vector<std::string> operation_names(const std::vector<Form>& forms) {
  std::vector<std::string> names;
  for (const Form& f : forms)
    for (const auto& [name, count] : f.operations.counts)
      add_once(names, name);
  return names;
}

Table forms_table(const std::vector<Form>& forms, double minimum_bytes) {
  const std::vector<std::string> names = operation_names(forms);
  Table table{"operations", "Operations per update, by form of the collision", {{"Form", "form", false}}};
  for (const std::string& name : names)
    table.columns.push_back({name, id_slug(name)});
  table.columns.push_back({"flop", "flops_per_update"});
  table.columns.push_back({"B, minimum", "bytes_per_update_minimum"});
  table.columns.push_back({"flop/B", "flops_per_byte"});
  table.columns.push_back({"Used by", "rungs", false});
  for (const Form& f : forms) {
    std::vector<TableCell> row{f.operations.form};
    for (const std::string& name : names) {
      const auto found = std::ranges::find(f.operations.counts, name, &std::pair<std::string, double>::first);
      row.push_back(found == f.operations.counts.end() ? TableCell("—") : count_cell(found->second));
    }
    row.push_back(count_cell(f.operations.total));
    row.push_back(count_cell(minimum_bytes));
    row.push_back(number_cell(f.operations.total / minimum_bytes));
    row.emplace_back(joined(short_names(f.rungs), 12));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_paper(Table& table, const Context& context, const std::string& label) {
  const Paper& paper = context.study.paper;
  const double flops = paper.value(label, "", "flops_per_update");
  const double bytes = paper.value(label, "", "bytes_per_update");
  std::vector<TableCell> row(table.columns.size(), TableCell("—"));
  row.front() = "paper: " + label;
  row[row.size() - 4] = count_cell(flops);
  row[row.size() - 3] = count_cell(bytes);
  row[row.size() - 2] = number_cell(flops / bytes);
  if (const double stated = paper.value(label, "", "intensity"); stated > 0) {
    row[row.size() - 1] = fmt::format("it states {} flop/B", significant(stated));
  }
  table.rows.push_back(std::move(row));
}

/// The profile that gives a rung's intensity: with the default build, on `case_name` or, if that is empty, the rung's largest
/// case. Null if there is none.
const Profile* profile_of(const Context& context, const std::string& rung, const std::string& precision,
                          const std::string& case_name) {
  const Profile* largest = nullptr;
  for (const Profile* p : context.results.profiles()) {
    if (p->rung != rung || p->build != "default" || p->precision != precision) continue;
    if (!case_name.empty() && p->case_name != case_name) continue;
    if (std::isnan(p->dram_bytes_per_update())) continue;
    if (largest == nullptr || p->cells >= largest->cells) largest = p;
  }
  return largest;
}

/// Adds columns that show the counters next to the model, and returns the profiles; empty without counters.
std::vector<const Profile*> add_measured(Table& table, const Context& context, const std::string& precision,
                                         const std::string& case_name) {
  constexpr std::size_t flops_column = 2;
  constexpr std::size_t model_column = 6;
  std::vector<const Profile*> profiles;
  for (const std::vector<TableCell>& row : table.rows)
    profiles.push_back(profile_of(context, row.front().text, precision, case_name));
  if (std::ranges::all_of(profiles, [](const Profile* p) { return p == nullptr; })) return {};
  table.columns.push_back({"DRAM, B, counters", "dram_bytes_per_update"});
  table.columns.push_back({"flop/B, counters", "flops_per_dram_byte"});
  table.columns.push_back({"Case, tuning", "profiled_case", false});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<TableCell>& row = table.rows[i];
    const Profile* p = profiles[i];
    if (p == nullptr) {
      row.emplace_back("—");
      row.push_back(row[model_column]);
      row.back().text += row[flops_column].text == "—" ? "" : " (model)";
      row.emplace_back("—");
      continue;
    }
    const double bytes = p->dram_bytes_per_update();
    row.push_back(number_cell(bytes));
    row.push_back(number_cell(bytes > 0 ? p->flops_per_update / bytes : unknown));
    row.emplace_back(p->case_name + (p->tuning.empty() ? "" : ", " + p->tuning));
  }
  std::erase(profiles, nullptr);
  return profiles;
}

Table rungs_table(const std::vector<const RungDescription*>& rungs, const std::string& precision) {
  Table table{"traffic",
              fmt::format("Traffic and intensity of each rung, {}", precision),
              {{"Rung", "rung", false},
               {"Form", "form", false},
               {"flop", "flops_per_update"},
               {"B read", "bytes_read"},
               {"B written", "bytes_written"},
               {"B, minimum", "bytes_minimum"},
               {"flop/B", "flops_per_byte"}}};
  for (const RungDescription* rung : rungs) {
    const auto traffic = rung->bytes_per_update.find(precision);
    if (traffic == rung->bytes_per_update.end()) continue;
    const auto [read, written] = traffic->second;
    const auto minimum = rung->bytes_per_update_minimum.find(precision);
    double flops = unknown;
    for (const OperationCounts& o : rung->operations) {
      if (o.form == rung->collision || rung->operations.size() == 1) flops = o.total;
    }
    table.rows.push_back({rung->id, rung->collision, count_cell(flops), count_cell(read), count_cell(written),
                          minimum == rung->bytes_per_update_minimum.end() ? TableCell("—") : count_cell(minimum->second),
                          number_cell(flops / (read + written))});
  }
  return table;
}

}  // namespace

void operations(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> patterns = block.texts("rungs", {"*"});
  const std::string precision = precision_of(block);
  const std::string case_name = block.text("case", "");
  const std::vector<std::string> paper = paper_labels(block, context);
  std::vector<const RungDescription*> rungs;
  double minimum = unknown;
  for (const RungDescription& rung : context.results.rungs()) {
    if (rung.build != "default" || !matches_any(patterns, rung.id)) continue;
    rungs.push_back(&rung);
    if (const auto found = rung.bytes_per_update_minimum.find(precision); found != rung.bytes_per_update_minimum.end())
      minimum = found->second;
  }
  if (rungs.empty()) return section.note("No session describes these rungs.");
  const std::string caption = fmt::format("From the descriptions of the rungs in experiments/{}/results/{}.*.json.",
                                          context.study.name, context.results.data().name);
  Table forms = forms_table(forms_of(rungs), minimum);
  for (const std::string& label : paper)
    add_paper(forms, context, label);
  section.add(std::move(forms), caption + " Counted by running the collision with a counting number type.");
  Table traffic = rungs_table(rungs, precision);
  const std::vector<const Profile*> profiles = add_measured(traffic, context, precision, case_name);
  section.add(std::move(traffic), caption + (profiles.empty() ? "" : " ") + profiles_caption(context, profiles));
}

}  // namespace ladder::reports
