#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/csv.hpp"
#include "harness/record/description.hpp"

/// Provenance of sessions: JSON files next to the stored rows. docs/architecture.md ("Provenance") explains each field.
namespace ladder {

/// A cache level of a machine or a device.
struct CacheLevel {
  int level = 0;
  double bytes = 0;  ///< of each instance
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

/// Details that distinguish processors of the same name.
struct ProcessorIdentity {
  std::string vendor;
  int family = 0;
  int model = 0;
  int stepping = 0;
  std::vector<std::string> instruction_sets;

  friend bool operator==(const ProcessorIdentity&, const ProcessorIdentity&) = default;
};
void for_each_field(Is<ProcessorIdentity> auto& i, auto&& visit) {
  visit(Field{"vendor", "", "vendor of the processor, e.g. `AuthenticAMD`"}, i.vendor);
  visit(Field{"family", "", "number assigned by the vendor"}, i.family);
  visit(Field{"model", "", "number assigned by the vendor"}, i.model);
  visit(Field{"stepping", "", "number assigned by the vendor"}, i.stepping);
  visit(Field{"instruction_sets", "", "available vector instruction sets, e.g. `avx2`"}, i.instruction_sets);
}

struct GpuFacts {
  std::string name;
  std::string compute_capability = {};  ///< empty if unknown
  double memory_bytes = 0;              ///< 0 if unknown
};
void for_each_field(Is<GpuFacts> auto& g, auto&& visit) {
  visit(Field{"name", "", "name reported by the driver"}, g.name);
  visit(Field{"compute_capability", "", "compute capability of an NVIDIA GPU, e.g. `9.0`"}, g.compute_capability);
  visit(Field{"memory_bytes", "B", "memory of the device; 0 if unknown"}, g.memory_bytes);
}

struct MachineFacts {
  std::string name, cpu;
  int cores = 0;
  double memory_bytes = 0;
  std::string os, kernel, load_average;
  std::vector<CacheLevel> caches;             ///< innermost level first
  std::optional<ProcessorIdentity> identity;  ///< missing in older sessions
  std::vector<GpuFacts> gpus;
};
void for_each_field(Is<MachineFacts> auto& m, auto&& visit) {
  visit(Field{"name", "", "name under which results are stored"}, m.name);
  visit(Field{"cpu", "", "name of the processor, as reported by the operating system"}, m.cpu);
  visit(Field{"cores", "", "physical cores that the process may use"}, m.cores);
  visit(Field{"memory_bytes", "B", "main memory"}, m.memory_bytes);
  visit(Field{"os", "", "operating system"}, m.os);
  visit(Field{"kernel", "", "release of the Linux kernel"}, m.kernel);
  visit(Field{"load_average", "", "load average over the minute before the start"}, m.load_average);
  visit(Field{"caches", "", "caches of the processor"}, m.caches);
  visit(Field{"identity", "", "details of the processor besides its name"}, m.identity);
  visit(Field{"gpus", "", "GPUs that the session could use"}, m.gpus);
}

struct SourceFacts {
  std::string version = {};
  std::string commit;
  std::string unknown;        ///< why `commit` is empty
  std::optional<bool> dirty;  ///< nothing: unknown
};
void for_each_field(Is<SourceFacts> auto& s, auto&& visit) {
  visit(Field{"version", "", "version of LBM Ladder"}, s.version);
  visit(Field{"commit", "", "commit of the source tree"}, s.commit);
  visit(Field{"unknown", "", "why the commit is not known"}, s.unknown);
  visit(Field{"dirty", "", "whether files differ from the commit"}, s.dirty);
}

struct ProfilerFacts {
  std::string name, version;
  std::vector<std::string> metrics;
};
void for_each_field(Is<ProfilerFacts> auto& p, auto&& visit) {
  visit(Field{"name", "", "program that reads hardware counters"}, p.name);
  visit(Field{"version", "", "its version"}, p.version);
  visit(Field{"metrics", "", "requested counters, under the names it uses"}, p.metrics);
}

/// Why measuring ended in a session.
struct Stopped {
  std::string reason;
  int rounds = 0;
  int unresolved = 0;
};
void for_each_field(Is<Stopped> auto& s, auto&& visit) {
  visit(Field{"reason", "", "`resolved`, `noise`, `rounds`, `budget` (`docs/measuring.md`)"}, s.reason);
  visit(Field{"rounds", "", "number of complete rounds"}, s.rounds);
  visit(Field{"unresolved", "", "number of comparisons without a verdict"}, s.unresolved);
}

struct Timing {
  double wall_seconds = 0;
  double working_seconds = 0;
};
void for_each_field(Is<Timing> auto& t, auto&& visit) {
  visit(Field{"wall_seconds", "s", "duration of the whole session"}, t.wall_seconds);
  visit(Field{"working_seconds", "s", "time spent running executables"}, t.working_seconds);
}

/// Fingerprint of a session's rows, for detecting later edits.
struct RowsDigest {
  int count = 0;
  std::string hash;

  friend bool operator==(const RowsDigest&, const RowsDigest&) = default;
};
void for_each_field(Is<RowsDigest> auto& r, auto&& visit) {
  visit(Field{"count", "", "number of rows"}, r.count);
  visit(Field{"hash", "", "hash of their fields, except the session and empty ones at the end"}, r.hash);
}

/// Where and how a session was measured.
struct Provenance {
  std::filesystem::path path;  ///< source file
  std::string session, utc;
  std::vector<std::string> command;
  std::string study;
  std::optional<std::uint64_t> seed;
  std::string plan;
  MachineFacts machine;
  std::string pinning;
  std::optional<double> quota;                    ///< missing if there was none
  std::map<std::string, std::string> placements;  ///< command by placement
  SourceFacts source;
  std::map<std::string, std::string> devices, drivers;           ///< by backend
  std::map<std::string, std::vector<CacheLevel>> device_caches;  ///< caches by device
  std::optional<ProfilerFacts> profiler;
  Descriptions rungs;     ///< by id, followed by the build in brackets if it is not the default one
  Descriptions ceilings;  ///< by backend
  std::vector<std::string> cells;
  std::optional<Stopped> stopped;  ///< missing if the session was interrupted
  std::optional<Timing> timing;
  std::optional<RowsDigest> rows;  ///< missing if the session was interrupted
};
void for_each_field(Is<Provenance> auto& p, auto&& visit) {
  visit(Field{"session", "", "id of the session"}, p.session);
  visit(Field{"utc", "ISO 8601", "start of the session"}, p.utc);
  visit(Field{"command", "", "words of the command line"}, p.command);
  visit(Field{"study", "", "name of the study"}, p.study);
  visit(Field{"seed", "", "seed for the order within rounds"}, p.seed);
  visit(Field{"plan", "", "hash of the cells and their rounds; a session is continued by a command with the same plan"},
        p.plan);
  visit(Field{"machine", "", "machine that ran the session"}, p.machine);
  visit(Field{"pinning", "", "OpenMP placement settings, ours or the user's"}, p.pinning);
  visit(Field{"quota", "processors",
              "lowest quota of the control groups (`cpu.max`) when the session started; missing if there was none"},
        p.quota);
  visit(Field{"placements", "", "environment and launcher of each non-default placement"}, p.placements);
  visit(Field{"source", "", "source tree that was built"}, p.source);
  visit(Field{"devices", "", "device by backend"}, p.devices);
  visit(Field{"drivers", "", "driver and its version by backend"}, p.drivers);
  visit(Field{"device_caches", "", "caches of devices that have their own, by device"}, p.device_caches);
  visit(Field{"profiler", "", "profiler, for sessions that profile"}, p.profiler);
  visit(Field{"rungs", "", "each rung's answer to `describe`, by id and build"}, p.rungs);
  visit(Field{"ceilings", "", "ceilings of the session, by backend"}, p.ceilings);
  visit(Field{"cells", "", "keys of the cells that the session measures"}, p.cells);
  visit(Field{"stopped", "", "how measuring ended; missing if the session was interrupted"}, p.stopped);
  visit(Field{"timing", "", "duration of the session"}, p.timing);
  visit(Field{"rows", "", "rows stored when the session ended; tells whether they have been edited since"}, p.rows);
}

/// The fields, as listed in docs/architecture.md.
std::vector<FieldText> provenance_fields();

/// Parses a provenance file read from `path`. Missing members stay empty.
/// @throws FileError if the text is not JSON, or a member's type differs from docs/architecture.md
Provenance parse_provenance(const std::filesystem::path& path, std::string_view text);
Provenance read_provenance(const std::filesystem::path& path);

/// Count and hash of a session's first `most` rows, or of all if there are fewer.
RowsDigest digest_of_rows(const CsvFile& rows, std::string_view session, int most = std::numeric_limits<int>::max());

/// If the session's rows differ from those that were stored when it ended, the line of the first one (1 if none are left). 0 if
/// they are the same, or if the provenance has no hash.
std::size_t line_of_edited_rows(const CsvFile& rows, const Provenance& provenance);

/// @throws FileError if the session's rows differ from those that were stored when it ended
void require_own_rows(const CsvFile& rows, const Provenance& provenance);

/// The provenance as JSON, without empty fields.
std::string provenance_text(const Provenance& provenance);

}  // namespace ladder
