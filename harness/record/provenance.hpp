#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/description.hpp"

/// Provenance of sessions: JSON files beside the stored rows. docs/architecture.md ("Provenance") says what each field means.
namespace ladder {

/// One level of cache of a machine or a device.
struct CacheLevel {
  int level = 0;
  double bytes = 0;  ///< of one instance
  int count = 1;

  [[nodiscard]] double total() const { return bytes * count; }
  [[nodiscard]] std::string name() const { return "L" + std::to_string(level); }
};
void for_each_field(Is<CacheLevel> auto& c, auto&& visit) {
  visit(Field{"level", "", "1 is nearest to the core"}, c.level);
  visit(Field{"bytes", "B", "size of one instance"}, c.bytes);
  visit(Field{"count", "", "instances of this size"}, c.count);
}

/// Descriptions by name, in the order of the file.
using Descriptions = std::vector<std::pair<std::string, RungDescription>>;

/// Distinguishes processors of the same name.
struct ProcessorIdentity {
  std::string vendor;
  int family = 0;
  int model = 0;
  int stepping = 0;
  std::vector<std::string> instruction_sets;

  friend bool operator==(const ProcessorIdentity&, const ProcessorIdentity&) = default;
};
void for_each_field(Is<ProcessorIdentity> auto& i, auto&& visit) {
  visit(Field{"vendor", "", "of the processor, e.g. `AuthenticAMD`"}, i.vendor);
  visit(Field{"family", "", "number that the vendor gives"}, i.family);
  visit(Field{"model", "", "number that the vendor gives"}, i.model);
  visit(Field{"stepping", "", "number that the vendor gives"}, i.stepping);
  visit(Field{"instruction_sets", "", "vector instruction sets that the operating system offers, e.g. `avx2`"},
        i.instruction_sets);
}

struct GpuFacts {
  std::string name;
  std::string compute_capability = {};  ///< empty if unknown
  double memory_bytes = 0;              ///< 0 if unknown
};
void for_each_field(Is<GpuFacts> auto& g, auto&& visit) {
  visit(Field{"name", "", "as the driver names it"}, g.name);
  visit(Field{"compute_capability", "", "of an NVIDIA GPU, e.g. `9.0`"}, g.compute_capability);
  visit(Field{"memory_bytes", "B", "memory of the device; 0 if it does not tell"}, g.memory_bytes);
}

struct MachineFacts {
  std::string name, cpu;
  int cores = 0;
  double memory_bytes = 0;
  std::string os, kernel, load_average;
  std::vector<CacheLevel> caches;             ///< smallest level first
  std::optional<ProcessorIdentity> identity;  ///< nothing in older sessions
  std::vector<GpuFacts> gpus;
};
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

struct SourceFacts {
  std::string commit;
  bool dirty = false;
};
void for_each_field(Is<SourceFacts> auto& s, auto&& visit) {
  visit(Field{"commit", "", "commit of the source tree"}, s.commit);
  visit(Field{"dirty", "", "whether files differ from the commit"}, s.dirty);
}

struct ProfilerFacts {
  std::string name, version;
  std::vector<std::string> metrics;
};
void for_each_field(Is<ProfilerFacts> auto& p, auto&& visit) {
  visit(Field{"name", "", "program that reads hardware counters"}, p.name);
  visit(Field{"version", "", "its version"}, p.version);
  visit(Field{"metrics", "", "counters asked for, in its names"}, p.metrics);
}

/// How a session's measuring ended.
struct Stopped {
  std::string reason;
  int rounds = 0;
  int unresolved = 0;
};
void for_each_field(Is<Stopped> auto& s, auto&& visit) {
  visit(Field{"reason", "", "`resolved`, `noise`, `rounds`, `budget` (`docs/measuring.md`)"}, s.reason);
  visit(Field{"rounds", "", "rounds measured whole"}, s.rounds);
  visit(Field{"unresolved", "", "comparisons without a verdict"}, s.unresolved);
}

struct Timing {
  double wall_seconds = 0;
  double working_seconds = 0;
};
void for_each_field(Is<Timing> auto& t, auto&& visit) {
  visit(Field{"wall_seconds", "s", "time of the whole session"}, t.wall_seconds);
  visit(Field{"working_seconds", "s", "time that executables ran"}, t.working_seconds);
}

/// Where and how a session was measured.
struct Provenance {
  std::filesystem::path path;  ///< that it was read from
  std::string session, utc;
  std::vector<std::string> command;
  std::string study;
  std::optional<std::uint64_t> seed;
  std::string plan;
  MachineFacts machine;
  std::string pinning;
  std::map<std::string, std::string> placements;  ///< command by placement
  SourceFacts source;
  std::map<std::string, std::string> devices, drivers;           ///< by backend
  std::map<std::string, std::vector<CacheLevel>> device_caches;  ///< by device
  std::optional<ProfilerFacts> profiler;
  Descriptions rungs;     ///< by id, with the build in brackets if it is not the default one
  Descriptions ceilings;  ///< by backend
  std::vector<std::string> cells;
  std::optional<Stopped> stopped;  ///< nothing if the session was interrupted
  std::optional<Timing> timing;
};
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

/// The fields, as docs/architecture.md describes them.
std::vector<FieldText> provenance_fields();

/// Reads a provenance that came from `path`. Members that are missing stay empty.
/// @throws FileError if the text is not JSON, or a member has a type other than docs/architecture.md says
Provenance parse_provenance(const std::filesystem::path& path, std::string_view text);
Provenance read_provenance(const std::filesystem::path& path);

/// The provenance as JSON, without empty fields.
std::string provenance_text(const Provenance& provenance);

}  // namespace ladder
