#include "harness/store/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/store/error.hpp"
#include "harness/store/file.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// What a provenance file must not hold.
class Wrong : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Member `name` of `object`, or `absent` where it is missing or null.
template <class T>
T member(const Json& object, const char* name, T absent = {}) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? absent : found->get<T>();
}

/// As member(), of an integer from `least`; JSON has no such type, and get<int>() would cut a larger number off.
int integer(const Json& object, const char* name, int least, int absent) {
  const double value = member<double>(object, name, absent);
  if (value != std::floor(value) || value < least || value > std::numeric_limits<int>::max())
    throw Wrong(fmt::format("'{}' is {}; accepted: an integer from {}", name, value, least));
  return static_cast<int>(value);
}

/// Member `name` of `object`, which is itself an object or a list; an empty object where it is missing or null.
const Json& child(const Json& object, const char* name) {
  static const Json none = Json::object();
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? none : *found;
}

OperationCounts operations(const Json& json) {
  OperationCounts result;
  result.form = member<std::string>(json, "form");
  for (const auto& [name, count] : json.items()) {
    if (!count.is_number()) continue;
    if (name == "total") {
      result.total = count.get<double>();
    } else {
      result.counts.emplace_back(name, count.get<double>());
    }
  }
  return result;
}

RungDescription description(const std::string& key, const Json& json) {
  RungDescription r;
  r.id = member<std::string>(json, "id", key);
  r.build = member<std::string>(json, "build", "default");
  r.backend = member<std::string>(json, "backend");
  r.follows = member<std::string>(json, "follows");
  r.idea = member<std::string>(json, "idea");
  r.layout = member<std::string>(json, "layout");
  r.traffic = member<std::string>(json, "traffic");
  r.source = member<std::string>(json, "source");
  r.bound = member<std::string>(json, "bound");
  r.compiler = member<std::string>(json, "compiler");
  r.flags = member<std::string>(json, "flags");
  r.collision = member<std::string>(json, "collision");
  r.executable = member<std::string>(json, "executable");
  r.sources = member<std::string>(json, "sources");
  for (const auto& [precision, bytes] : child(json, "bytes_per_update").items()) {
    r.bytes_read[precision] = member<double>(bytes, "read");
    r.bytes_written[precision] = member<double>(bytes, "write");
  }
  for (const auto& [precision, bytes] : child(json, "bytes_per_update_minimum").items()) {
    r.bytes_minimum[precision] = bytes.get<double>();
  }
  for (const Json& form : child(json, "operations"))
    r.operations.push_back(operations(form));
  for (const Json& tunable : child(json, "tunables")) {
    r.initial[member<std::string>(tunable, "name")] = integer(tunable, "initial", std::numeric_limits<int>::min(), 0);
  }
  return r;
}

std::vector<CacheLevel> caches(const Json& json) {
  std::vector<CacheLevel> all;
  for (const Json& cache : json) {
    all.push_back({integer(cache, "level", 0, 0), member<double>(cache, "bytes"), integer(cache, "count", 0, 1)});
  }
  std::ranges::sort(all, {}, &CacheLevel::level);
  return all;
}

Provenance provenance(const Json& json) {
  Provenance p;
  p.session = member<std::string>(json, "session");
  p.utc = member<std::string>(json, "utc");
  p.command = member<std::vector<std::string>>(json, "command");
  const Json& machine = child(json, "machine");
  p.machine = member<std::string>(machine, "name");
  p.cpu = member<std::string>(machine, "cpu");
  p.cores = integer(machine, "cores", 0, 0);
  p.memory_bytes = member<double>(machine, "memory_bytes");
  p.os = member<std::string>(machine, "os");
  p.kernel = member<std::string>(machine, "kernel");
  p.caches = caches(child(machine, "caches"));
  const Json& source = child(json, "source");
  p.commit = member<std::string>(source, "commit");
  p.dirty = member<bool>(source, "dirty");
  if (const auto seed = json.find("seed"); seed != json.end() && seed->is_number_integer()) p.seed = seed->dump();
  p.pinning = member<std::string>(json, "pinning");
  const Json& stopped = child(json, "stopped");
  p.stop_reason = member<std::string>(stopped, "reason");
  p.rounds = integer(stopped, "rounds", 0, 0);
  for (const auto& [backend, device] : child(json, "devices").items()) {
    p.devices[backend] = device.get<std::string>();
  }
  for (const auto& [backend, driver] : child(json, "drivers").items()) {
    p.drivers[backend] = driver.get<std::string>();
  }
  for (const auto& [device, of_device] : child(json, "device_caches").items()) {
    p.device_caches[device] = caches(of_device);
  }
  for (const auto& [key, rung] : child(json, "rungs").items())
    p.rungs.push_back(description(key, rung));
  for (const auto& [backend, ceilings] : child(json, "ceilings").items()) {
    p.ceilings.push_back(description("ceiling/" + backend, ceilings));
    p.ceilings.back().backend = backend;
  }
  return p;
}

}  // namespace

Provenance read_provenance(const std::filesystem::path& path) { return parse_provenance(path, read_whole(path)); }

Provenance parse_provenance(const std::filesystem::path& path, std::string_view text) {
  try {
    Provenance p = provenance(Json::parse(text));
    p.path = path;
    return p;
  } catch (const Wrong& e) {
    throw FileError(path, 0, e.what());
  } catch (const Json::exception& e) {
    throw FileError(path, 0,
                    fmt::format("is no provenance file: {}; accepted: JSON as docs/architecture.md describes", e.what()));
  }
}

}  // namespace ladder
