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

/// Answers of executables (docs/architecture.md, "A rung is an executable"), for the executable that writes one and the program
/// that reads it. Executables are not trusted.
namespace ladder {

/// Answer of `probe`: whether a backend can run here, and what it can do (backends/status.hpp).
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
  bool is_broken = false;  ///< no executable answered: it is not known whether it could run
};
void for_each_field(Is<Availability> auto& a, auto&& visit) {
  visit(Field{"available", "", "whether it can run here", Field::needed}, a.available);
  visit(Field{"device", "", "name of the device"}, a.device);
  visit(Field{"driver", "", "of the device, with its version"}, a.driver);
  visit(Field{"threads", "", "that it starts by itself; 0 if the device decides"}, a.threads);
  visit(Field{"resident", "", "its processes are kept from one cell to the next"}, a.resident);
  visit(Field{"pins_threads", "", "it takes any number of threads, bound to `OMP_PLACES`"}, a.pins_threads);
  visit(Field{"ceilings", "", "backend whose ceilings limit it"}, a.ceilings);
  visit(Field{"profiler", "", "whether there is a profiler of the device"}, a.profiler);
  visit(Field{"processes", "", "it runs in several processes, the first of which answers for all", Field::if_known},
        a.processes);
  visit(Field{"devices", "", "it uses several devices per process", Field::if_known}, a.devices);
  visit(Field{"no_profiler", "", "why there is no profiler", Field::if_known}, a.no_profiler);
  visit(Field{"cache_bytes", "B", "of a GPU: its last level of cache", Field::if_known}, a.cache_bytes);
  visit(Field{"memory_bytes", "B", "of a GPU: its memory", Field::if_known}, a.memory_bytes);
  visit(Field{"device_count", "", "devices of this machine that it may use", Field::if_known}, a.device_count);
  visit(Field{"compute_capability", "", "of an NVIDIA GPU, e.g. `9.0`", Field::if_known}, a.compute_capability);
  visit(Field{"reason", "", "why it cannot run here", Field::if_known}, a.reason);
}

/// Answer of `case`.
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
  visit(Field{"grid", "`128x128`", "sides of the lattice", Field::needed}, c.grid);
  visit(Field{"sides", "cells", "along x, y and z"}, c.sides);
  visit(Field{"cells", "sites", "size of the lattice", Field::needed}, c.cells);
  visit(Field{"fluid_cells", "sites", "cells that are not solid"}, c.fluid_cells);
  visit(Field{"q", "", "populations of a cell"}, c.q);
  visit(Field{"reach", "cells", "distance that a population moves in one step"}, c.reach);
  visit(Field{"steps", "steps", "length of its real run"}, c.steps);
  visit(Field{"content", "", "hash of the case", Field::needed}, c.content);
}

/// Answer of `profile`.
struct ProfileFacts {
  std::int64_t cells = 0;
  std::int64_t steps = 0;
  double footprint_bytes = 0;
};
void for_each_field(Is<ProfileFacts> auto& p, auto&& visit) {
  visit(Field{"cells", "sites", "size of the lattice"}, p.cells);
  visit(Field{"steps", "steps", "that were recorded"}, p.steps);
  visit(Field{"footprint_bytes", "B", "bytes of the arrays that a step touches", Field::needed}, p.footprint_bytes);
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

/// The answer in one line.
std::string answer_text(const Availability& answer);
std::string answer_text(const CaseFacts& answer);
std::string answer_text(const ProfileFacts& answer);
std::string answer_text(const Space& answer);

/// Nothing if `text` is not such an answer, whole and in range.
std::optional<Availability> parse_probe(std::string_view text);
std::optional<CaseFacts> parse_case(std::string_view text);
std::optional<ProfileFacts> parse_profile(std::string_view text);
std::optional<Space> parse_space(std::string_view text);

/// The fields of the answers, as docs/architecture.md describes them.
std::vector<FieldText> probe_fields();
std::vector<FieldText> case_fields();

/// The columns of a row that `check` answers, as its answer in one line. Unknown numbers are left out.
std::string check_text(const Row& row);

/// Sets the columns of a row that `check` answers. Returns false, and may have set some, if `text` is not such an answer.
bool read_check(std::string_view text, Row& row);

/// The columns of a row that `measure` answers for the one sample in Google Benchmark's JSON: numbers are its counters, texts
/// the members of a JSON object, its label.
struct SampleText {
  std::vector<std::pair<std::string, double>> counters;
  std::string label;
};
SampleText sample_text(const Row& row);

/// Sets the columns of a row that `measure` answers, the time and the speed. Values that are missing or out of range are not
/// set. Returns false, and may have set some, if `text` has no sample, or one with an impossible speed.
bool read_sample(std::string_view text, Row& row);

}  // namespace ladder
