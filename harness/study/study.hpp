#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/foreign.hpp"

namespace ladder {

/// A `[[matrix]]` block: every combination of its lists is a cell.
struct MatrixBlock {
  int line = 0;
  std::vector<std::string> rungs;  ///< globs over rung ids
  std::vector<std::string> builds = {"default"};
  std::vector<std::string> cases;
  std::vector<std::string> precisions = {""};                 ///< empty: the rung's default, see number_for()
  std::map<std::string, std::vector<std::int64_t>> set = {};  ///< values of tunables to sweep
  std::vector<std::int64_t> check_steps = {};                 ///< empty: depends on the grid
  std::string check_start = "seeded";                         ///< or `own`: the initial state of the case's real run
  std::int64_t steps = 0;                                     ///< per sample; 0: derived from sample_seconds
  int rounds = 0;                                             ///< 0: as in the study
  std::vector<std::string> placements = {""};                 ///< in the syntax of parse_placements()
};

/// A `[[ceilings]]` block.
struct CeilingsBlock {
  int line = 0;
  std::string backend;
  std::vector<std::string> names;
  std::vector<std::int64_t> bytes;             ///< footprints
  std::vector<std::string> precisions = {""};  ///< empty: default_number
  std::vector<std::string> stores;             ///< empty: all stores that the backend supports
  int rounds = 0;                              ///< 0: as in the study
  std::vector<std::string> placements = {""};  ///< in the syntax of parse_placements()
};

/// A `[[field]]` block: pictures of the flow.
struct FieldBlock {
  int line = 0;
  std::string rung;
  std::string case_name;
  std::int64_t steps = 0;   ///< step count of the last picture
  std::int64_t frames = 1;  ///< number of pictures, at equal intervals
  std::int64_t points = 0;  ///< number of moments, after the first, of a series of the same run; 0: no series
  bool layers = false;      ///< also means of each row at these moments
};

/// A `[[series]]` block: how the state of cases evolves during a run.
struct SeriesBlock {
  int line = 0;
  std::string rung;
  std::vector<std::string> cases;
  std::string precision = "f64";
  std::int64_t points = 64;  ///< number of sampled times after the first
  bool layers = false;       ///< means of each row instead of values for the whole state
  bool stability = false;    ///< whether each case stays bounded, instead of values
};

/// One `[[contender]]` block: a program that is not a rung of this project. Paths are relative to the study's folder.
struct ContenderBlock : ForeignProgram {
  /// A program of the default format, still without its file.
  ContenderBlock();

  int line = 0;
  std::string name;
  std::vector<std::string> cases;
  std::string model;              ///< model whose cases it computes
  std::string precision = "f32";  ///< number format that it stores, which sets its minimum traffic and its tolerance
  std::string follows;            ///< rung to compare it with
  std::string device;             ///< empty: the processor
  int rounds = 0;                 ///< 0: the study's
  std::vector<std::string> placements = {""};  ///< in the syntax of parse_placements()
  bool is_optional = false;                    ///< leave the block out if its program is missing

  /// Rung id used in its rows.
  [[nodiscard]] std::string id() const { return "contender/" + name; }
};

/// The part of a study.toml that describes measurements; the report reads the rest.
struct Study {
  std::filesystem::path file;
  std::string name;  ///< name of its folder
  std::uint64_t seed = 1;
  int rounds = 5;               ///< maximum; fewer if more cannot change a verdict
  double budget_seconds = 0;    ///< time limit for measuring; 0: none
  double sample_seconds = 0.2;  ///< with `energy = true` at least energy_sample_seconds
  double timeout_seconds = 600;
  bool against_first = false;           ///< compare every cell with the first one rather than with the rung that it follows
  std::int64_t memory_limit_bytes = 0;  ///< for all processes of a rung; 0: 90 % of what is available when they start
  std::vector<std::string> launcher;    ///< command that starts several processes; empty: chosen by launch_of()
  bool is_part = false;                 ///< reduced by take_part(), so that only the ceilings of its cells are measured
  std::vector<std::string> only_rungs;  ///< globs: only rungs of the matrix that match one are measured; empty: all
  std::vector<MatrixBlock> matrix;
  std::vector<CeilingsBlock> ceilings;
  std::vector<FieldBlock> fields;
  std::vector<SeriesBlock> series;
  std::vector<ContenderBlock> contenders;
};

/// Whether a text has a line break or another ASCII control character.
bool has_control_character(std::string_view text);

/// Refuses names of cases with leading zeros, e.g. `box-016`: a case has one name, `box-16`. @throws InputError
void require_case_name(const std::string& name);

/// Refuses names of study folders that files of a report, or lines of a script, cannot have. @throws InputError
void require_study_name(const std::filesystem::path& file, const std::string& name);

/// Reads a study. @throws InputError with file, line and accepted values.
Study read_study(const std::filesystem::path& file);
/// The same for text read from `file`.
Study parse_study(const std::filesystem::path& file, std::string_view text);

/// Restricts a study to the rungs, cases and placements that match one of the globs; an empty list keeps all. Blocks that name
/// no placement are kept, and so are ceilings; expand() removes those that the part does not need. @throws InputError if a glob
/// over cases or placements matches nothing
void take_part(Study& study, const std::vector<std::string>& rungs, const std::vector<std::string>& cases,
               const std::vector<std::string>& placements);

/// The absolute path of the study.toml that `name` refers to: the file, its folder, or the folder's name in `experiments`.
/// @throws InputError with the nearest name, or if the file is not called study.toml
std::filesystem::path find_study(const std::filesystem::path& experiments, const std::string& name);

}  // namespace ladder
