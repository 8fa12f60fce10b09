#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/field.hpp"
#include "harness/record/rows.hpp"

/// Executables' answers (docs/architecture.md, "A rung is an executable"), used both by the executable that writes one and by
/// the program that reads it. Executables are not trusted.
namespace ladder {

/// The answer to `probe`: whether a backend can run here, and its capabilities (backends/status.hpp).
struct Availability {
  bool available = false;
  std::string reason, device, driver;
  int threads = 0;
  bool resident = false;
  bool pins_threads = false;
  std::string ceilings;
  bool profiler = false;
  bool processes = false;
  bool devices = false;
  std::string no_profiler;
  double cache_bytes = 0;
  double memory_bytes = 0;
  int device_count = 0;
  std::string compute_capability;
  bool is_broken = false;  ///< no executable answered, so it is unknown whether the backend can run
};
void for_each_field(Is<Availability> auto& a, auto&& visit) {
  visit(Field{"available", "", "whether the backend can run here", Field::needed}, a.available);
  visit(Field{"device", "", "name of the device"}, a.device);
  visit(Field{"driver", "", "driver of the device and its version"}, a.driver);
  visit(Field{"threads", "", "default number of threads; 0 if the device decides"}, a.threads);
  visit(Field{"resident", "", "whether a process is kept from one cell to the next"}, a.resident);
  visit(Field{"pins_threads", "", "whether any number of threads can be requested; they are bound to `OMP_PLACES`"},
        a.pins_threads);
  visit(Field{"ceilings", "", "backend whose ceilings apply"}, a.ceilings);
  visit(Field{"profiler", "", "whether there is a profiler for the device"}, a.profiler);
  visit(Field{"processes", "", "whether it runs as several processes; the first one answers for all", Field::if_known},
        a.processes);
  visit(Field{"devices", "", "whether it uses several devices per process", Field::if_known}, a.devices);
  visit(Field{"no_profiler", "", "why there is no profiler", Field::if_known}, a.no_profiler);
  visit(Field{"cache_bytes", "B", "size of a GPU's last-level cache", Field::if_known}, a.cache_bytes);
  visit(Field{"memory_bytes", "B", "size of a GPU's memory", Field::if_known}, a.memory_bytes);
  visit(Field{"device_count", "", "number of devices that it may use on this machine", Field::if_known}, a.device_count);
  visit(Field{"compute_capability", "", "compute capability of an NVIDIA GPU, e.g. `9.0`", Field::if_known},
        a.compute_capability);
  visit(Field{"reason", "", "why it cannot run here", Field::if_known}, a.reason);
}

/// The answer to `case`.
struct CaseFacts {
  std::string name, grid;
  std::array<int, 3> sides = {};
  std::int64_t cells = 0, fluid_cells = 0;
  int q = 0, reach = 0;
  std::int64_t steps = 0;
  std::string content;
};
void for_each_field(Is<CaseFacts> auto& c, auto&& visit) {
  visit(Field{"case", "", "name of the case"}, c.name);
  visit(Field{"grid", "`128x128`", "dimensions of the lattice", Field::needed}, c.grid);
  visit(Field{"sides", "cells", "size along x, y and z"}, c.sides);
  visit(Field{"cells", "sites", "number of lattice cells", Field::needed}, c.cells);
  visit(Field{"fluid_cells", "sites", "cells that are not solid"}, c.fluid_cells);
  visit(Field{"q", "", "populations per cell"}, c.q);
  visit(Field{"reach", "cells", "largest distance that a population travels in one step"}, c.reach);
  visit(Field{"steps", "steps", "number of steps in its real run"}, c.steps);
  visit(Field{"content", "", "hash of the case", Field::needed}, c.content);
}

/// The answer to `profile`.
struct ProfileFacts {
  std::int64_t cells = 0;
  std::int64_t steps = 0;
  double footprint_bytes = 0;
};
void for_each_field(Is<ProfileFacts> auto& p, auto&& visit) {
  visit(Field{"cells", "sites", "number of lattice cells"}, p.cells);
  visit(Field{"steps", "steps", "number of recorded steps"}, p.steps);
  visit(Field{"footprint_bytes", "B", "size of the arrays that a step accesses", Field::needed}, p.footprint_bytes);
}

/// Values of the tunables, in the order of Space::names.
using Point = std::vector<int>;

/// Answer of `tunings`.
struct Space {
  struct Exclusion {
    std::string text;
    std::int64_t refused = 0;
  };

  std::vector<std::string> names;
  std::int64_t combinations = 0;
  std::vector<Exclusion> constraints;
  std::vector<Point> legal;

  /// `wx=32;wy=8`, sorted by name as in a stored row.
  [[nodiscard]] std::string name(const Point& point) const;
};
void for_each_field(Is<Space::Exclusion> auto& e, auto&& visit) {
  visit(Field{"text", "", "a constraint, in the tunables' names", Field::needed}, e.text);
  visit(Field{"refused", "", "combinations that violate it but none before it", Field::needed}, e.refused);
}
void for_each_field(Is<Space> auto& s, auto&& visit) {
  visit(Field{"names", "", "of the tunables", Field::needed}, s.names);
  visit(Field{"combinations", "", "including illegal ones", Field::needed}, s.combinations);
  visit(Field{"constraints", "", "in the order in which they are tried", Field::needed}, s.constraints);
  visit(Field{"tunings", "", "that fulfil all constraints", Field::needed_any_sign}, s.legal);
}

/// The answer as one line.
std::string answer_text(const Availability& answer);
std::string answer_text(const CaseFacts& answer);
std::string answer_text(const ProfileFacts& answer);
std::string answer_text(const Space& answer);

/// Empty if `text` is not a complete answer of this kind with values in range.
std::optional<Availability> parse_probe(std::string_view text);
std::optional<CaseFacts> parse_case(std::string_view text);
std::optional<ProfileFacts> parse_profile(std::string_view text);
std::optional<Space> parse_space(std::string_view text);

/// The answers' fields, as listed in docs/architecture.md.
std::vector<FieldText> probe_fields();
std::vector<FieldText> case_fields();

/// The columns of a row that answer `check`, as one line. Unknown numbers are left out.
std::string check_text(const Row& row);

/// Sets the columns of a row from an answer to `check`. Returns false if `text` is not such an answer; some columns may then
/// have been set.
bool read_check(std::string_view text, Row& row);

/// The same for an answer that says how a foreign program failed: `check` or `measure` ran it, and it is `wrong`, `failed`,
/// `crashed` or `timeout`. Otherwise returns false and sets nothing.
bool read_failure(std::string_view text, Row& row);

/// The columns of a row that `measure` answers for the one sample in Google Benchmark's JSON: numbers are its counters, texts
/// the members of a JSON object, its label.
struct SampleText {
  std::vector<std::pair<std::string, double>> counters;
  std::string label;
};
SampleText sample_text(const Row& row);

/// An answer of `measure` that is not measured by Google Benchmark: the JSON of a sample that took `row.seconds`.
std::string sample_answer(const Row& row);

/// Sets the columns of a row that `measure` answers, the time and the speed. Values that are missing or out of range are not
/// set. Returns false, and may have set some, if `text` has no sample, or one with an impossible speed.
bool read_sample(std::string_view text, Row& row);

}  // namespace ladder
