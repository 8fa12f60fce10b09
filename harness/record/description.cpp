#include "harness/record/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "harness/record/json_fields.hpp"
#include "roofline/model/number.hpp"

namespace ladder {

using Json = nlohmann::ordered_json;

double Description::flops_per_update() const {
  const auto form = std::ranges::find(operations, collision, &OperationCounts::form);
  return form == operations.end() ? std::numeric_limits<double>::quiet_NaN() : form->total;
}

Description parse_description(std::string_view answer) {
  const Json json = Json::parse(answer, nullptr, false);
  if (json.is_discarded()) throw InputError("its description is not JSON");
  try {
    if (!json.is_object()) throw InputError("it is not an object");
    for (const auto& [name, value] : json.items())
      if (value.is_null()) throw InputError(fmt::format("'{}' is null", name));
    const JsonReader reader(true);
    Description made;
    if (json.contains("ceilings")) {
      CeilingsDescription ceilings;
      reader.read(json, {"description", "", ""}, ceilings);
      made.backend = ceilings.backend;
      made.compiler = ceilings.compiler;
      made.flags = ceilings.flags;
      made.ceilings = std::move(ceilings.ceilings);
      return made;
    }
    reader.read(json, {"description", "", ""}, made);
    if (made.cases.empty()) throw InputError("it names no case");
    if (!json.contains("numbers"))
      for (const auto& [name, traffic] : made.bytes_per_update)
        made.numbers.push_back(name);
    for (const std::string& name : made.numbers) {
      find_number(name);
      if (!made.bytes_per_update.contains(name) || !made.bytes_per_update_minimum.contains(name))
        throw InputError(fmt::format("it has no bytes_per_update of '{}'", name));
    }
    return made;
  } catch (const std::exception& e) {
    throw InputError(fmt::format("its description is invalid: {}", e.what()));
  }
}

Json described(const Description& description) { return JsonWriter(true).json(description); }
Json described(const CeilingsDescription& description) { return JsonWriter(true).json(description); }
Json described(const SourceDescription& description) {
  Json all = JsonWriter(false).json(description);
  all["follows"] = description.follows;
  return all;
}

std::string number_for(const Description& description, const std::string& asked) {
  const std::vector<std::string>& accepted = description.numbers;
  const std::string wanted(asked.empty() ? default_number.name : find_number(asked).name);
  if (accepted.empty() || std::ranges::find(accepted, wanted) != accepted.end()) return wanted;
  if (asked.empty()) return accepted.front();
  throw InputError(fmt::format("{}: precision '{}'; accepted: {}", description.id, asked, fmt::join(accepted, ", ")));
}

}  // namespace ladder
