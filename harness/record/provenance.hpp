#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Counted operations of one form of the collision: names (`add`, `mul`, …) and counts in the order of the file.
struct OperationCounts {
  std::string form;
  std::vector<std::pair<std::string, double>> counts;  ///< without the total
  double total = 0;
};

/// Bytes that one update moves.
struct TrafficFacts {
  double read = 0;
  double write = 0;
};

struct TunableFacts {
  std::string name, meaning;
  std::vector<std::int64_t> values;
  std::int64_t initial = 0;
};

/// The answer of an executable to `describe`, with hashes of its bytes and its sources. For ceilings most fields are empty.
struct RungDescription {
  std::string id, model, backend, build, follows, idea, layout, traffic, source, bound, compiler, flags;
  int q = 0;
  int reach = 0;
  std::vector<std::string> numbers;
  double lattices = 0;
  std::map<std::string, TrafficFacts> bytes_per_update;  ///< by precision
  std::string level;
  std::map<std::string, double> bytes_per_update_minimum;  ///< by precision
  std::string collision;
  std::vector<OperationCounts> operations;
  std::vector<TunableFacts> tunables;
  std::vector<std::string> constraints;
  std::string observable;
  std::string executable, sources;
};

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

struct GpuFacts {
  std::string name;
  std::string compute_capability = {};  ///< empty if unknown
  double memory_bytes = 0;              ///< 0 if unknown
};

struct MachineFacts {
  std::string name, cpu;
  int cores = 0;
  double memory_bytes = 0;
  std::string os, kernel, load_average;
  std::vector<CacheLevel> caches;             ///< smallest level first
  std::optional<ProcessorIdentity> identity;  ///< nothing in older sessions
  std::vector<GpuFacts> gpus;
};

struct SourceFacts {
  std::string commit;
  bool dirty = false;
};

struct ProfilerFacts {
  std::string name, version;
  std::vector<std::string> metrics;
};

/// How a session's measuring ended.
struct Stopped {
  std::string reason;
  int rounds = 0;
  int unresolved = 0;
};

struct Timing {
  double wall_seconds = 0;
  double working_seconds = 0;
};

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

/// A field as docs/architecture.md describes it: `machine.caches[].bytes`, `rungs.*.id`.
struct FieldText {
  std::string name, type, unit, meaning;
};
std::vector<FieldText> provenance_fields();

/// Reads a provenance that came from `path`. Members that are missing stay empty.
/// @throws FileError if the text is not JSON, or a member has a type other than docs/architecture.md says
Provenance parse_provenance(const std::filesystem::path& path, std::string_view text);
Provenance read_provenance(const std::filesystem::path& path);

/// The provenance as JSON, without empty fields.
std::string provenance_text(const Provenance& provenance);

/// The answer of a rung or of ceilings to `describe`. @throws InputError if a member has another type
RungDescription parse_description(const nlohmann::ordered_json& answer);

}  // namespace ladder
