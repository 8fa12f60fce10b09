#include "harness/record/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  const char* name;
  const char* unit;
  const char* meaning;
};

// The definition of every field: for_each_field(object, visit) calls visit(Field, member).

template <class T, class C>
concept Is = std::same_as<std::remove_const_t<T>, C>;

void for_each_field(Is<CacheLevel> auto& c, auto&& visit) {
  visit(Field{"level", "", "1 is nearest to the core"}, c.level);
  visit(Field{"bytes", "B", "size of one instance"}, c.bytes);
  visit(Field{"count", "", "instances of this size"}, c.count);
}

void for_each_field(Is<TrafficFacts> auto& t, auto&& visit) {
  visit(Field{"read", "B", "bytes that one update reads"}, t.read);
  visit(Field{"write", "B", "bytes that one update writes"}, t.write);
}

void for_each_field(Is<TunableFacts> auto& t, auto&& visit) {
  visit(Field{"name", "", "name of the tunable"}, t.name);
  visit(Field{"meaning", "", "its meaning and unit"}, t.meaning);
  visit(Field{"values", "", "legal values"}, t.values);
  visit(Field{"initial", "", "value used if the user names none"}, t.initial);
}

void for_each_field(Is<RungDescription> auto& r, auto&& visit) {
  visit(Field{"id", "", "rung id; of ceilings `ceiling/<backend>`"}, r.id);
  visit(Field{"model", "", "lattice and physics, e.g. `d2q9`"}, r.model);
  visit(Field{"backend", "", "programming model"}, r.backend);
  visit(Field{"build", "", "build variant"}, r.build);
  visit(Field{"follows", "", "rung that this one adds an idea to"}, r.follows);
  visit(Field{"idea", "", "of the kernel file's header"}, r.idea);
  visit(Field{"layout", "", "of the kernel file's header"}, r.layout);
  visit(Field{"traffic", "", "of the kernel file's header"}, r.traffic);
  visit(Field{"source", "", "of the kernel file's header"}, r.source);
  visit(Field{"bound", "", "of the kernel file's header"}, r.bound);
  visit(Field{"compiler", "", "name and version"}, r.compiler);
  visit(Field{"flags", "", "of the compiler"}, r.flags);
  visit(Field{"q", "", "populations of a cell"}, r.q);
  visit(Field{"reach", "cells", "distance that a population moves in one step"}, r.reach);
  visit(Field{"numbers", "", "number formats that the rung accepts"}, r.numbers);
  visit(Field{"lattices", "", "copies of the lattice in memory"}, r.lattices);
  visit(Field{"bytes_per_update", "B", "declared traffic, by precision"}, r.bytes_per_update);
  visit(Field{"level", "", "memory level of that traffic; `dram` if it is missing"}, r.level);
  visit(Field{"bytes_per_update_minimum", "B", "every population read once and written once, by precision"},
        r.bytes_per_update_minimum);
  visit(Field{"collision", "", "form of the collision that the rung uses"}, r.collision);
  visit(Field{"operations", "", "counted operations of each form of the model's collision"}, r.operations);
  visit(Field{"tunables", "", "tunable parameters with their legal values"}, r.tunables);
  visit(Field{"constraints", "", "conditions on values of several tunables"}, r.constraints);
  visit(Field{"observable", "", "quantity recorded at each step"}, r.observable);
  visit(Field{"executable", "", "hash of the executable's bytes"}, r.executable);
  visit(Field{"sources", "", "hash of the files that it was built from"}, r.sources);
}

void for_each_field(Is<ProcessorIdentity> auto& i, auto&& visit) {
  visit(Field{"vendor", "", "of the processor, e.g. `AuthenticAMD`"}, i.vendor);
  visit(Field{"family", "", "number that the vendor gives"}, i.family);
  visit(Field{"model", "", "number that the vendor gives"}, i.model);
  visit(Field{"stepping", "", "number that the vendor gives"}, i.stepping);
  visit(Field{"instruction_sets", "", "vector instruction sets that the operating system offers, e.g. `avx2`"},
        i.instruction_sets);
}

void for_each_field(Is<GpuFacts> auto& g, auto&& visit) {
  visit(Field{"name", "", "as the driver names it"}, g.name);
  visit(Field{"compute_capability", "", "of an NVIDIA GPU, e.g. `9.0`"}, g.compute_capability);
  visit(Field{"memory_bytes", "B", "memory of the device; 0 if it does not tell"}, g.memory_bytes);
}

void for_each_field(Is<MachineFacts> auto& m, auto&& visit) {
  visit(Field{"name", "", "name that the results are stored under"}, m.name);
  visit(Field{"cpu", "", "processor, as the operating system names it"}, m.cpu);
  visit(Field{"cores", "", "physical cores that the process may use"}, m.cores);
  visit(Field{"memory_bytes", "B", "main memory"}, m.memory_bytes);
  visit(Field{"os", "", "operating system"}, m.os);
  visit(Field{"kernel", "", "release of the Linux kernel"}, m.kernel);
  visit(Field{"load_average", "", "over the last minute, at the start"}, m.load_average);
  visit(Field{"caches", "", "of the processor"}, m.caches);
  visit(Field{"identity", "", "of the processor, beside its name"}, m.identity);
  visit(Field{"gpus", "", "GPUs that the session could use"}, m.gpus);
}

void for_each_field(Is<SourceFacts> auto& s, auto&& visit) {
  visit(Field{"commit", "", "commit of the source tree"}, s.commit);
  visit(Field{"dirty", "", "whether files differ from the commit"}, s.dirty);
}

void for_each_field(Is<ProfilerFacts> auto& p, auto&& visit) {
  visit(Field{"name", "", "program that reads hardware counters"}, p.name);
  visit(Field{"version", "", "its version"}, p.version);
  visit(Field{"metrics", "", "counters asked for, in its names"}, p.metrics);
}

void for_each_field(Is<Stopped> auto& s, auto&& visit) {
  visit(Field{"reason", "", "`resolved`, `noise`, `rounds`, `budget` (`docs/measuring.md`)"}, s.reason);
  visit(Field{"rounds", "", "rounds measured whole"}, s.rounds);
  visit(Field{"unresolved", "", "comparisons without a verdict"}, s.unresolved);
}

void for_each_field(Is<Timing> auto& t, auto&& visit) {
  visit(Field{"wall_seconds", "s", "time of the whole session"}, t.wall_seconds);
  visit(Field{"working_seconds", "s", "time that executables ran"}, t.working_seconds);
}

void for_each_field(Is<Provenance> auto& p, auto&& visit) {
  visit(Field{"session", "", "id of the session"}, p.session);
  visit(Field{"utc", "ISO 8601", "start of the session"}, p.utc);
  visit(Field{"command", "", "words of the command line"}, p.command);
  visit(Field{"study", "", "name of the study"}, p.study);
  visit(Field{"seed", "", "of the order within rounds"}, p.seed);
  visit(Field{"plan", "", "hash of the cells and their rounds; a session is continued by a command with the same plan"},
        p.plan);
  visit(Field{"machine", "", "machine that ran the session"}, p.machine);
  visit(Field{"pinning", "", "OpenMP placement settings, ours or the user's"}, p.pinning);
  visit(Field{"placements", "", "environment and launcher of each placement that is not the default"}, p.placements);
  visit(Field{"source", "", "source tree that was built"}, p.source);
  visit(Field{"devices", "", "device by backend"}, p.devices);
  visit(Field{"drivers", "", "driver and its version by backend"}, p.drivers);
  visit(Field{"device_caches", "", "caches of devices that have their own, by device"}, p.device_caches);
  visit(Field{"profiler", "", "of sessions of profiles"}, p.profiler);
  visit(Field{"rungs", "", "rungs of the session, each by id and build: its answer to `describe`"}, p.rungs);
  visit(Field{"ceilings", "", "ceilings of the session, by backend"}, p.ceilings);
  visit(Field{"cells", "", "keys of the cells that the session measures"}, p.cells);
  visit(Field{"stopped", "", "end of the measuring; missing if the session was interrupted"}, p.stopped);
  visit(Field{"timing", "", "time that the session took"}, p.timing);
}

template <class T>
concept Object = requires(T& object) {
  for_each_field(object, [](Field, auto&) {});
};

/// Throws the error for a wrong value in a provenance file.
[[noreturn]] void refuse(const char* name, const std::string& value, const char* accepted) {
  throw InputError(fmt::format("'{}' is {}; accepted: {}", name, value, accepted));
}

// Reading: read(json, name of the field for errors, value).

void read(const Json& json, const char*, std::string& value) { value = json.get<std::string>(); }
void read(const Json& json, const char*, bool& value) { value = json.get<bool>(); }
void read(const Json& json, const char*, double& value) { value = json.get<double>(); }

/// JSON has no integers, and get<int>() would truncate a larger number. An `int` is a count, from 0.
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) void read(const Json& json, const char* name, Integer& value) {
  const double number = json.get<double>();
  const auto most = static_cast<double>(std::numeric_limits<Integer>::max());
  const bool may_be_negative = std::same_as<Integer, std::int64_t>;
  if (number != std::floor(number) || !(std::abs(number) <= most) || (number < 0 && !may_be_negative))
    refuse(name, fmt::format("{}", number), may_be_negative ? "an integer" : "an integer from 0");
  value = json.get<Integer>();
}

void require_object(const Json& json, const char* name) {
  if (!json.is_object()) refuse(name, json.type_name(), "an object");
}

void read(const Json& json, const char* name, OperationCounts& value) {
  require_object(json, name);
  for (const auto& [operation, count] : json.items()) {
    if (operation == "form") value.form = count.get<std::string>();
    if (!count.is_number()) continue;
    if (operation == "total")
      value.total = count.get<double>();
    else
      value.counts.emplace_back(operation, count.get<double>());
  }
}

template <Object T>
void read(const Json& json, const char* name, T& value);
template <class T>
void read(const Json& json, const char* name, std::vector<T>& value);
template <class T>
void read(const Json& json, const char* name, std::map<std::string, T>& value);

/// An element of a list or an object; null stands for an empty one, e.g. an empty argument of a command.
template <class T>
void read_element(const Json& json, const char* name, T& value) {
  if (!json.is_null()) read(json, name, value);
}

template <class T>
void read(const Json& json, const char* name, std::optional<T>& value) {
  read(json, name, value.emplace());
}

template <class T>
void read(const Json& json, const char* name, std::vector<T>& value) {
  if (!json.is_array()) refuse(name, json.type_name(), "a list");
  for (const Json& element : json)
    read_element(element, name, value.emplace_back());
}

template <class T>
void read(const Json& json, const char* name, std::map<std::string, T>& value) {
  require_object(json, name);
  for (const auto& [key, element] : json.items())
    read_element(element, name, value[key]);
}

void read(const Json& json, const char* name, Descriptions& value) {
  require_object(json, name);
  for (const auto& [key, element] : json.items())
    read_element(element, name, value.emplace_back(key, RungDescription{}).second);
}

template <Object T>
void read(const Json& json, const char* name, T& value) {
  require_object(json, name);
  for_each_field(value, [&](const Field& field, auto& member) {
    const auto found = json.find(field.name);
    if (found != json.end() && !found->is_null()) read(*found, field.name, member);
  });
}

// Writing: written(value) is its JSON; null if it is empty.

Json written(const std::string& value) { return value.empty() ? Json() : Json(value); }
Json written(bool value) { return value; }
Json written(double value) { return value; }
Json written(std::integral auto value) { return value; }
Json written(const OperationCounts& value) {
  Json json = {{"form", value.form}};
  for (const auto& [name, count] : value.counts)
    json[name] = count;
  json["total"] = value.total;
  return json;
}

Json written(const Object auto& value);

template <class T>
Json written(const std::optional<T>& value) {
  return value ? written(*value) : Json();
}

template <class T>
Json written(const std::vector<T>& value) {
  Json json;
  for (const T& element : value)
    json.push_back(written(element));
  return json;
}

template <class T>
Json written(const std::map<std::string, T>& value) {
  Json json;
  for (const auto& [key, element] : value)
    json[key] = written(element);
  return json;
}

Json written(const Descriptions& value) {
  Json json;
  for (const auto& [name, description] : value)
    json[name] = written(description);
  return json;
}

Json written(const Object auto& value) {
  Json json;
  for_each_field(value, [&](const Field& field, const auto& member) {
    if (Json text = written(member); !text.is_null()) json[field.name] = std::move(text);
  });
  return json;
}

// Describing: types of fields, and the fields of objects among them.

struct Describer {
  std::string prefix = {};
  std::vector<FieldText>* all;

  template <class T>
  void operator()(const Field& field, const T& member) const {
    all->push_back({prefix + field.name, type(member), field.unit, field.meaning});
    inside(prefix + field.name, member);
  }

 private:
  static std::string type(const std::string&) { return "text"; }
  static std::string type(bool) { return "true or false"; }
  static std::string type(double) { return "number"; }
  static std::string type(std::integral auto) { return "integer"; }
  static std::string type(const OperationCounts&) { return "object"; }
  static std::string type(const Object auto&) { return "object"; }
  template <class T>
  static std::string type(const std::optional<T>&) {
    return type(T{});
  }
  template <class T>
  static std::string type(const std::vector<T>&) {
    return "list";
  }
  template <class T>
  static std::string type(const std::map<std::string, T>&) {
    return "object";
  }
  static std::string type(const Descriptions&) { return "object"; }

  template <class T>
  void inside(const std::string& name, const T& value) const {
    if constexpr (Object<T>) for_each_field(value, Describer{name + ".", all});
  }
  template <class T>
  void inside(const std::string& name, const std::optional<T>&) const {
    inside(name, T{});
  }
  template <class T>
  void inside(const std::string& name, const std::vector<T>&) const {
    inside(name + "[]", T{});
  }
  template <class T>
  void inside(const std::string& name, const std::map<std::string, T>&) const {
    inside(name + ".*", T{});
  }
  void inside(const std::string& name, const Descriptions&) const {
    // The fields of a description are listed once, with the rungs.
    if (name == "rungs") inside("rungs.*", RungDescription{});
  }
};

}  // namespace

std::vector<FieldText> provenance_fields() {
  std::vector<FieldText> all;
  const Provenance none;
  for_each_field(none, Describer{.all = &all});
  return all;
}

Provenance parse_provenance(const std::filesystem::path& path, std::string_view text) {
  Provenance p;
  try {
    read(Json::parse(text), "provenance", p);
  } catch (const InputError& e) {
    throw FileError(path, 0, e.what());
  } catch (const Json::exception& e) {
    throw FileError(path, 0,
                    fmt::format("is not a provenance file: {}; accepted: JSON as docs/architecture.md describes", e.what()));
  }
  p.path = path;
  std::ranges::sort(p.machine.caches, {}, &CacheLevel::level);
  for (auto& [device, caches] : p.device_caches)
    std::ranges::sort(caches, {}, &CacheLevel::level);
  // Older sessions name their GPUs only by their caches.
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
  return written(provenance).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

RungDescription parse_description(const nlohmann::ordered_json& answer) try {
  RungDescription description;
  read(answer, "description", description);
  return description;
} catch (const Json::exception& e) {
  throw InputError(fmt::format("is not a description: {}", e.what()));
}

}  // namespace ladder
