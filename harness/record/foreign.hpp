#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/field.hpp"

namespace ladder {

/// As ForeignProgram::time: the wall time of the process counts.
constexpr std::string_view wall_time = "wall";

/// The units that ForeignProgram::time_unit accepts.
constexpr std::array<std::string_view, 5> time_units = {"s", "ms", "us", "ns", "min"};

/// A program that is not a rung of this project, described for the executable that runs it (docs/architecture.md, "A foreign
/// program").
struct ForeignProgram {
  std::vector<std::string> command;  ///< its words, with placeholders; in a request, the first is an absolute path
  std::string format = "none";       ///< format of its input and result files; `none`: its results are not checked
  std::vector<std::string> files;    ///< its result files, in the format's order
  std::vector<std::string> needs;    ///< files to copy into its folder, e.g. kernels
  std::string time;                  ///< regular expression with one group, which matches the printed time; or wall_time
  std::string time_unit;             ///< of the printed time; empty: as printed, or seconds
  std::string rate;                  ///< the same for the printed MLUPS
  std::int64_t steps = 0;            ///< per sample; 0: derived from the length of a sample
  std::int64_t check_steps = 0;      ///< 0: depends on the grid

  // Set in a request.
  std::vector<std::string> launcher;  ///< command that starts several processes of it; empty: one, started directly
  std::array<int, 3> sides = {};
  int q = 0;
  double timeout_seconds = 0;
  std::int64_t memory_limit_bytes = 0;  ///< 0: 90 % of what is available when it starts

  [[nodiscard]] bool is_checked() const { return format != "none"; }
  [[nodiscard]] std::int64_t cells() const { return std::int64_t{sides[0]} * sides[1] * sides[2]; }
};
void for_each_field(Is<ForeignProgram> auto& p, auto&& visit) {
  visit(Field{"command", "", "its words, with placeholders; the first is an absolute path", Field::needed}, p.command);
  visit(Field{"format", "", "format of its files; `none`: not checked", Field::needed}, p.format);
  visit(Field{"files", "", "names of its result files"}, p.files);
  visit(Field{"needs", "", "files to copy into its folder"}, p.needs);
  visit(Field{"time", "", "regular expression that finds the printed time; `wall`: the process's wall time counts"}, p.time);
  visit(Field{"time_unit", "", "unit of the printed time; empty: as printed, or s", Field::if_known}, p.time_unit);
  visit(Field{"rate", "", "regular expression that finds the printed MLUPS"}, p.rate);
  visit(Field{"steps", "steps", "length of a sample; 0: `--min-time` decides"}, p.steps);
  visit(Field{"check_steps", "steps", "length of the check; 0: a few seconds of the reference"}, p.check_steps);
  visit(Field{"launcher", "", "command that starts several processes of it, with its options; empty: one process"}, p.launcher);
  visit(Field{"sides", "cells", "of the case, along x, y and z", Field::needed}, p.sides);
  visit(Field{"q", "", "populations of a cell", Field::needed}, p.q);
  visit(Field{"timeout_seconds", "s", "a run that takes longer is ended", Field::needed}, p.timeout_seconds);
  visit(Field{"memory_limit_bytes", "B", "a run that uses more is ended; 0: 90 % of what is free when it starts"},
        p.memory_limit_bytes);
}

/// A path for texts in UTF-8, such as JSON: the path itself, or `hex:` and its bytes in hexadecimal digits.
std::string utf8_path(const std::string& path);

/// The program as JSON, in one line.
std::string request_text(const ForeignProgram& program);
/// @throws InputError if `text` is not such JSON
ForeignProgram parse_foreign(std::string_view text);

/// The fields of a request, as docs/architecture.md describes them.
std::vector<FieldText> foreign_fields();

}  // namespace ladder
