#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// One form of the collision, and the rungs that use it.
struct Form {
  std::string name;
  OperationCounts operations = {};
  std::vector<std::string> rungs = {};
  double bytes = unknown;   ///< per update, at least
  std::string stated = {};  ///< by the publication

  [[nodiscard]] double count(const std::string& operation) const {
    const auto found = std::ranges::find(operations.counts, operation, &std::pair<std::string, double>::first);
    return found == operations.counts.end() ? unknown : found->second;
  }
};

std::vector<Form> forms_of(const std::vector<const RungDescription*>& rungs) {
  std::vector<Form> forms;
  for (const RungDescription* rung : rungs) {
    for (const OperationCounts& o : rung->operations) {
      auto found = std::ranges::find_if(forms, [&](const Form& f) {
        return f.operations.form == o.form && f.operations.total == o.total && f.operations.counts == o.counts;
      });
      if (found == forms.end()) found = forms.insert(forms.end(), {o.form, o});
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

Form form_of_paper(const Paper& paper, const std::string& label) {
  Form form{std::string(paper_prefix) + label};
  form.operations.total = paper.value(label, "", "flops_per_update");
  form.bytes = paper.value(label, "", "bytes_per_update");
  const double stated = paper.value(label, "", "intensity");
  form.stated = stated > 0 ? fmt::format("it states {} flop/B", significant(stated)) : "—";
  return form;
}

Table forms_table(const std::vector<Form>& forms) {
  std::vector<Column<Form>> columns = {{"Form", "form", &Form::name}};
  for (const std::string& name : operation_names(forms))
    columns.emplace_back(
        name, id_slug(name), [name](const Form& f) { return f.count(name); }, count_cell);
  columns.insert(
      columns.end(),
      {{"flop", "flops_per_update", &Form::operations, &OperationCounts::total, count_cell},
       {"B, minimum", "bytes_per_update_minimum", &Form::bytes, count_cell},
       {"flop/B", "flops_per_byte", [](const Form& f) { return f.operations.total / f.bytes; }},
       {"Used by", "rungs", [](const Form& f) { return f.rungs.empty() ? f.stated : joined(short_names(f.rungs), 12); }}});
  return tabulate("operations", "Operations per update, by form of the collision", columns, forms);
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

/// The values of one rung.
struct Described {
  const RungDescription* rung = nullptr;
  double flops = unknown, read = unknown, written = unknown, minimum = unknown;
  const Profile* profile = nullptr;

  [[nodiscard]] double intensity() const { return flops / (read + written); }
};

std::vector<Described> describe(const std::vector<const RungDescription*>& rungs, const Context& context,
                                const std::string& precision, const std::string& case_name) {
  std::vector<Described> all;
  for (const RungDescription* rung : rungs) {
    const auto traffic = rung->bytes_per_update.find(precision);
    if (traffic == rung->bytes_per_update.end()) continue;
    const auto [read, written] = traffic->second;
    Described& d = all.emplace_back(Described{rung, unknown, read, written});
    d.profile = profile_of(context, rung->id, precision, case_name);
    if (const auto minimum = rung->bytes_per_update_minimum.find(precision); minimum != rung->bytes_per_update_minimum.end())
      d.minimum = minimum->second;
    for (const OperationCounts& o : rung->operations)
      if (o.form == rung->collision || rung->operations.size() == 1) d.flops = o.total;
  }
  return all;
}

/// Intensity by the counters, or by the model if other rungs have counters.
TableCell counted_intensity(const Described& d, bool any_counters) {
  if (!any_counters) return "—";
  if (d.profile == nullptr) {
    TableCell cell = number_cell(d.intensity());
    if (!std::isnan(d.flops)) cell.text += " (model)";
    return cell;
  }
  const double bytes = d.profile->dram_bytes_per_update();
  return number_cell(bytes > 0 ? d.profile->flops_per_update / bytes : unknown);
}

Table rungs_table(const std::vector<Described>& rungs, const std::string& precision) {
  const bool any_counters = std::ranges::any_of(rungs, [](const Described& d) { return d.profile != nullptr; });
  return tabulate(
      "traffic", fmt::format("Traffic and intensity of each rung, {}", precision),
      {{"Rung", "rung", &Described::rung, &RungDescription::id},
       {"Form", "form", &Described::rung, &RungDescription::collision},
       {"flop", "flops_per_update", &Described::flops, count_cell},
       {"B read", "bytes_read", &Described::read, count_cell},
       {"B written", "bytes_written", &Described::written, count_cell},
       {"B, minimum", "bytes_minimum", &Described::minimum, count_cell},
       {"flop/B", "flops_per_byte", &Described::intensity},
       {"DRAM, B, counters", "dram_bytes_per_update", &Described::profile, &Profile::dram_bytes_per_update},
       {"flop/B, counters", "flops_per_dram_byte", [&](const Described& d) { return counted_intensity(d, any_counters); }},
       {"Case, tuning", "profiled_case", &Described::profile,
        [](const Profile& p) { return with_tuning(p.case_name, p.tuning); }}},
      rungs);
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
  std::vector<Form> forms = forms_of(rungs);
  for (Form& form : forms)
    form.bytes = minimum;
  for (const std::string& label : paper)
    forms.push_back(form_of_paper(context.study.paper, label));
  section.add(forms_table(forms), caption + " Counted by running the collision with a counting number type.");
  const std::vector<Described> described = describe(rungs, context, precision, case_name);
  std::vector<const Profile*> profiles;
  for (const Described& d : described)
    if (d.profile != nullptr) profiles.push_back(d.profile);
  section.add(rungs_table(described, precision), caption + (profiles.empty() ? "" : " ") + profiles_caption(context, profiles),
              {}, profiles);
}

}  // namespace ladder::reports
