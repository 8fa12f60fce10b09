#include "harness/record/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "harness/record/json_fields.hpp"

namespace ladder {

std::vector<FieldText> provenance_fields() { return fields_of<Provenance>(); }

Provenance parse_provenance(const std::filesystem::path& path, std::string_view text) {
  Provenance p;
  try {
    JsonReader(false).read(nlohmann::ordered_json::parse(text), {"provenance", "", ""}, p);
  } catch (const InputError& e) {
    throw FileError(path, 0, e.what());
  } catch (const nlohmann::ordered_json::exception& e) {
    throw FileError(path, 0,
                    fmt::format("is not a provenance file: {}; accepted: JSON as docs/architecture.md describes", e.what()));
  }
  p.path = path;
  std::ranges::sort(p.machine.caches, {}, &CacheLevel::level);
  for (auto& [device, caches] : p.device_caches)
    std::ranges::sort(caches, {}, &CacheLevel::level);
  // In older sessions, GPUs appear only as owners of caches.
  if (p.machine.gpus.empty())
    for (const auto& [device, caches] : p.device_caches)
      p.machine.gpus.push_back({.name = device});
  for (auto& [name, rung] : p.rungs)
    if (rung.id.empty()) rung.id = name;
  for (auto& [backend, ceilings] : p.ceilings) {
    ceilings.id = "ceiling/" + backend;
    ceilings.backend = backend;
  }
  for (auto* all : {&p.rungs, &p.ceilings})
    for (auto& [name, description] : *all)
      if (description.build.empty()) description.build = "default";
  return p;
}

Provenance read_provenance(const std::filesystem::path& path) { return parse_provenance(path, read_whole(path)); }

std::string provenance_text(const Provenance& provenance) {
  return JsonWriter(false).json(provenance).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ladder
