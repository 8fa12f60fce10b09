#include "harness/record/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "harness/record/json_fields.hpp"

namespace ladder {

/// Requires that a member matches its part of the file's name. Empty values pass, because older files lack some members. `key`
/// is the path to the member, used to find its line.
static void require_named(const std::filesystem::path& path, std::string_view text, std::initializer_list<const char*> key,
                          const std::string& value, const std::string& accepted) {
  if (value.empty() || value == accepted) return;
  std::size_t at = 0;
  for (const std::string name : key)
    at = text.find('"' + name + '"', at);
  throw FileError(path, 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')),
                  fmt::format("{} is '{}'; accepted: '{}', as in the file's name", fmt::join(key, "."), value, accepted));
}

/// A session's file is `<machine>.<session>.json`, or `<machine>.<kind>.<session>.json`. @throws FileError if its content
/// does not match the name
static void require_own_name(const Provenance& p, std::string_view text) {
  const std::string name = p.path.stem().string();
  const std::size_t first = name.find('.'), last = name.rfind('.');
  if (first == std::string::npos) return;
  require_named(p.path, text, {"session"}, p.session, name.substr(last + 1));
  require_named(p.path, text, {"machine", "name"}, p.machine.name, name.substr(0, first));
}

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
  require_own_name(p, text);
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

RowsDigest digest_of_rows(const CsvFile& rows, std::string_view session, int most) {
  RowsDigest stored;
  std::uint64_t hash = fnv1a("");
  for (const CsvRecord& record : rows.records()) {
    if (record.fields.front() != session || stored.count == most) continue;
    std::size_t used = record.fields.size();
    while (used > 1 && record.fields[used - 1].empty())  // newer versions may append columns
      --used;
    for (std::size_t i = 1; i < used; ++i)
      hash = fnv1a(csv_field(record.fields[i]) + ",", hash);
    hash = fnv1a("\n", hash);
    ++stored.count;
  }
  stored.hash = fmt::format("{:016x}", hash);
  return stored;
}

std::size_t line_of_edited_rows(const CsvFile& rows, const Provenance& provenance) {
  if (!provenance.rows || digest_of_rows(rows, provenance.session, provenance.rows->count) == *provenance.rows) return 0;
  const auto first = std::ranges::find_if(rows.records(),
                                          [&](const CsvRecord& record) { return record.fields.front() == provenance.session; });
  return first == rows.records().end() ? 1 : first->line;
}

void require_own_rows(const CsvFile& rows, const Provenance& provenance) {
  if (const std::size_t line = line_of_edited_rows(rows, provenance); line > 0)
    throw FileError(rows.path(), line,
                    fmt::format("the rows of session '{}' were edited; accepted: the {} rows with the hash {} that it stored",
                                provenance.session, provenance.rows->count, provenance.rows->hash));
}

Provenance read_provenance(const std::filesystem::path& path) { return parse_provenance(path, read_whole(path)); }

std::string provenance_text(const Provenance& provenance) {
  return JsonWriter(false).json(provenance).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ladder
