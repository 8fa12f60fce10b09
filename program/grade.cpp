#include "program/grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <system_error>

#include "base/console.hpp"
#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/noise_flags.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/study/commands.hpp"
#include "harness/study/formats.hpp"
#include "program/own_file.hpp"
#include "reports/document.hpp"
#include "roofline/model/machine.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* skeleton = GradeOptions::skeleton;
constexpr const char* program_name = "d2q9-bgk";
constexpr const char* copy = "copy-9";
/// A table: the names of its files without extensions, and how its title and its CSV header begin.
struct TableName {
  const char *file, *title, *header;
};
constexpr TableName table_names[] = {{"grade", "Programs of ", "program,case,"},
                                     {"grade-ranking", "Ranking of ", "case,rank,"},
                                     {"grade-summary", "Summary of ", "case,programs,"}};
constexpr double unknown = Row::unknown;

/// Length in bytes of the first character of a UTF-8 text if it is a C1 control, invisible, looks like a space, breaks lines or
/// reverses text; otherwise 0.
std::size_t invisible_bytes(std::string_view text) {
  using Range = std::pair<std::string_view, std::string_view>;  // first and last character
  static constexpr Range ranges[] = {{"\u00a0", "\u00a0"}, {"\u00ad", "\u00ad"}, {"\u1680", "\u1680"}, {"\u2000", "\u200f"},
                                     {"\u2028", "\u202f"}, {"\u205f", "\u206f"}, {"\u3000", "\u3000"}, {"\ufeff", "\ufeff"}};
  if (starts_with_c1(text)) return 2;
  for (const auto& [first, last] : ranges)
    if (const std::string_view start = text.substr(0, first.size()); start >= first && start <= last) return first.size();
  return 0;
}

/// A file's name in which control characters and bytes that are not UTF-8 are visible, e.g. `\x0a`, because a line break in a
/// name would forge a line of the table. Spaces that a table would hide are escaped too: at either end, and after another
/// space. Backslashes are doubled, so that different names stay different.
std::string visible(const std::string& name) {
  const bool is_text = is_utf8(name);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool is_hidden_blank = byte == ' ' && (i == 0 || i + 1 == name.size() || name[i - 1] == ' ');
    const bool is_shown = byte >= ' ' && byte != 0x7f && (byte < 0x80 || is_text) && !is_hidden_blank;
    const std::size_t invisible = is_text ? invisible_bytes(std::string_view(name).substr(i)) : 0;
    const std::size_t count = invisible > 0 ? invisible : is_shown ? 0 : 1;
    if (count == 0) out += name[i] == '\\' ? "\\\\" : std::string(1, name[i]);
    for (std::size_t k = 0; k < count; ++k)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[i + k]));
    if (count > 1) i += count - 1;
  }
  return out;
}

bool is_program(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

/// A name that is valid in a rung id and differs from those in `taken`.
std::string id_of(const std::string& name, std::set<std::string>& taken) {
  const std::string base = id_slug(name).substr(0, 70);
  std::string id = base;
  for (int i = 2; !taken.insert(id).second; ++i)
    id = fmt::format("{}-{}", base, i);
  return id;
}

ContenderBlock block_of(const Submission& submission, const std::string& id, const GradeOptions& options) {
  ContenderBlock block;
  block.name = id;
  block.command.front() = fs::absolute(submission.program).string();
  for (const fs::path& need : submission.needs)
    block.needs.push_back(fs::absolute(need).string());
  block.cases = options.cases;
  block.precision = options.precision;
  block.time = options.time;
  block.time_unit = options.time_unit;
  block.steps = options.steps;
  block.placements = options.placements;
  block.follows = skeleton;
  require_contender(block,
                    [](const char* key, const std::string& what) { throw InputError(fmt::format("{}: {}", key, what)); });
  return block;
}

/// The skeleton on the cases and, at the working-set sizes of these cases, the copy of nine populations.
Study study_of(const Context& context, const GradeOptions& options, Catalogue& catalogue) {
  Study study;
  study.file = context.experiments / "grade" / "study.toml";
  study.name = "grade";
  study.rounds = options.rounds;
  study.sample_seconds = 1;
  study.timeout_seconds = options.timeout_seconds;
  study.launcher = options.launcher;
  MatrixBlock& block = study.matrix.emplace_back();
  block.rungs = {catalogue.built_rung(skeleton).id};
  block.cases = options.cases;
  block.precisions = {options.precision};
  block.steps = options.steps;
  CeilingsBlock ceilings;
  ceilings.backend = "openmp";
  ceilings.names = {copy};
  ceilings.precisions = {options.precision};
  for (const Cell& cell : expand(study, catalogue))
    if (cell.unavailable.empty())
      ceilings.bytes.push_back(static_cast<std::int64_t>(cell.row.bytes_per_update_minimum) * cell.row.cells);
  if (!ceilings.bytes.empty()) study.ceilings.push_back(std::move(ceilings));
  return study;
}

/// The rows of one program, or of the skeleton, on one case and placement.
struct Timed {
  const Row* failed = nullptr;
  const Row* check = nullptr;
  const Row* sample = nullptr;  ///< the last one
  Series speeds;
  std::vector<double> seconds, busy_cores, total_seconds;
  std::vector<Row> samples;
  std::set<std::string> doubts;  ///< as in the column `suspicious`

  /// Whether only this project's tolerance is exceeded, not the coursework's.
  [[nodiscard]] bool passes_coursework() const {
    return failed != nullptr && failed == check && failed->outcome == "wrong" &&
           check->relative_error <= check->relative_tolerance;
  }
};

Timed measured_of(const std::vector<Row>& rows, const std::string& rung, const std::string& case_name,
                  const std::string& placement = "") {
  Timed all;
  for (const Row& row : rows) {
    if (row.rung != rung || row.case_name != case_name || row.placement != placement) continue;
    if (!row.ok() && all.failed == nullptr) all.failed = &row;
    if (row.kind == "check") all.check = &row;
    if (row.kind != "sample" || !row.ok()) continue;
    all.sample = &row;
    all.samples.push_back(row);
    for (const std::string_view reason : split(row.suspicious, ';'))
      if (!reason.empty()) all.doubts.emplace(reason);
    all.speeds.push_back({row.session, row.round, row.updates_per_second});
    all.seconds.push_back(row.seconds);
    all.busy_cores.push_back(row.cpu_seconds / row.wall_seconds);
    if (!std::isnan(row.total_seconds)) all.total_seconds.push_back(row.total_seconds);
  }
  return all;
}

/// Elements per second of the faster kind of store, at a working set; NaN if it was not measured.
double copy_speed(const std::vector<Row>& rows, double bytes) {
  std::map<std::string, std::vector<double>> speeds;
  for (const Row& row : rows)
    if (row.kind == "ceiling" && row.ok() && row.case_name == fmt::format("ws-{:.0f}", bytes))
      speeds[row.tuning].push_back(row.updates_per_second);
  double best = unknown;
  for (const auto& [store, values] : speeds)
    best = std::fmax(best, median(values));
  return best;
}

std::string result_of(const Timed& of) {
  if (of.passes_coursework()) return "right (coursework)";
  if (of.failed != nullptr) return of.failed->outcome;
  return of.sample != nullptr ? "right" : "not measured";
}

/// A program on a case.
struct Graded {
  std::string name, case_name, placement;
  Timed of;
  bool is_right = of.failed == nullptr && of.sample != nullptr;
  double seconds = is_right ? median(of.seconds) : unknown;
  double speed = is_right ? median(of.speeds) : unknown;
  double total_seconds = is_right && !of.total_seconds.empty() ? median(of.total_seconds) : unknown;
  Ratio ratio = {};
  GradeFacts facts = {};

  [[nodiscard]] double difference() const { return of.check == nullptr ? unknown : of.check->relative_error; }
  [[nodiscard]] std::string next() const {
    if (is_right) return next_step(facts);
    if (of.failed == nullptr) return "—";
    if (!of.passes_coursework()) return of.failed->reason;
    return fmt::format("differs by {:.2g} %, more than rounding explains: {}", 100 * difference(), of.failed->reason);
  }
  [[nodiscard]] std::string doubts() const {
    std::set<std::string> all = of.doubts;
    if (facts.of_copy > 1) all.emplace("above copy-9");
    return all.empty() ? "—" : fmt::format("{}", fmt::join(all, ", "));
  }
};

/// Number of processors in a list such as `0-3,8`; 0 if it is malformed.
int processors_in(std::string_view list) {
  int count = 0;
  for (const std::string_view range : split(list, ',')) {
    int first = 0;
    const auto [end, error] = std::from_chars(range.data(), range.data() + range.size(), first);
    if (error != std::errc{}) return 0;
    int last = first;
    if (end != range.data() + range.size()) std::from_chars(end + 1, range.data() + range.size(), last);
    count += last - first + 1;
  }
  return count;
}

Graded graded(const std::string& name, const std::string& case_name, const std::string& placement, const Timed& of,
              const Timed& base, double copied) {
  Graded line{name, case_name, placement, of};
  if (line.is_right) line.ratio = paired_ratio(of.speeds, base.speeds);
  line.facts = {line.is_right ? median(of.busy_cores) : unknown, this_machine().cores, line.speed / copied, line.ratio.value,
                disturbance_of(of.samples, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), control_groups().processors)};
  return line;
}

/// A table's title, e.g. `Programs of submissions`.
std::string title_of(const TableName& table, const GradeOptions& options) {
  return table.title + visible(fs::absolute(options.folder / "").parent_path().filename().string());
}

/// The table of all programs, still without its caption.
reports::Table table_of(const GradeOptions& options, const std::vector<Graded>& lines) {
  using reports::TableCell;
  const auto difference = [](double d) { return TableCell(std::isnan(d) ? "—" : fmt::format("{:.2g} %", 100 * d), d); };
  const auto ratio = [](const Ratio& r) { return TableCell(times(r.value) + interval_text(r.interval), r.value); };
  return reports::tabulate(
      table_names[0].file, title_of(table_names[0], options),
      {{"Program", "program", &Graded::name},
       {"Case", "case", &Graded::case_name},
       {"Placement", "placement", &Graded::placement},
       {"Result", "result", [](const Graded& g) { return result_of(g.of); }},
       {"Largest difference", "relative_error", &Graded::difference, difference},
       {"Steps", "steps", [](const Graded& g) { return TableCell(g.is_right ? std::to_string(g.of.sample->steps) : "—"); }},
       {"Time, s", "seconds", &Graded::seconds},
       {"Total, s", "total_seconds", &Graded::total_seconds},
       {"Clock", "time_source", [](const Graded& g) { return g.is_right ? g.of.sample->time_source : "—"; }},
       {"MLUPS", "mlups", [](const Graded& g) { return g.speed * 1e-6; }},
       {"Over skeleton", "over_skeleton", &Graded::ratio, ratio},
       {"Busy cores", "busy_cores", [](const Graded& g) { return reports::number_cell(g.facts.busy_cores, 2); }},
       {"Of copy-9", "fraction_of_copy", [](const Graded& g) { return TableCell(percent(g.facts.of_copy), g.facts.of_copy); }},
       {"Doubts", "doubts", &Graded::doubts},
       {"Look at next", "next", &Graded::next}},
      lines);
}

/// The rank of a right program among those on the same case.
struct Ranked {
  const Graded* line;
  int rank;
  double of_fastest;
};

/// Right programs on each case, fastest first. Equally fast programs have the same rank.
reports::Table ranking_of(const GradeOptions& options, const std::vector<Graded>& lines) {
  std::vector<Ranked> all;
  for (const std::string& case_name : options.cases) {
    std::vector<const Graded*> right;
    for (const Graded& line : lines)
      if (line.is_right && line.case_name == case_name) right.push_back(&line);
    std::ranges::stable_sort(right, std::ranges::greater(), &Graded::speed);
    for (std::size_t i = 0; i < right.size(); ++i) {
      const bool is_tie = i > 0 && right[i]->speed == right[i - 1]->speed;
      all.push_back({right[i], is_tie ? all.back().rank : static_cast<int>(i) + 1, right[i]->speed / right.front()->speed});
    }
  }
  using reports::TableCell;
  return reports::tabulate(
      table_names[1].file, title_of(table_names[1], options),
      {{"Case", "case", [](const Ranked& r) { return r.line->case_name; }},
       {"Rank", "rank", [](const Ranked& r) { return TableCell(std::to_string(r.rank), r.rank); }},
       {"Program", "program", [](const Ranked& r) { return r.line->name; }},
       {"Placement", "placement", [](const Ranked& r) { return r.line->placement; }},
       {"MLUPS", "mlups", [](const Ranked& r) { return r.line->speed * 1e-6; }},
       {"Time per step, µs", "microseconds_per_step",
        [](const Ranked& r) { return 1e6 * r.line->seconds / static_cast<double>(r.line->of.sample->steps); }},
       {"Of the fastest", "fraction_of_fastest",
        [](const Ranked& r) { return TableCell(percent(r.of_fastest), r.of_fastest); }}},
      all);
}

/// The programs of a class on one case and placement.
struct Summarized {
  std::string case_name, placement;
  std::map<std::string, int> results;  ///< number of programs by result
  std::vector<double> speeds = {};     ///< of right programs

  [[nodiscard]] int count(const std::string& result) const {
    const auto found = results.find(result);
    return found == results.end() ? 0 : found->second;
  }
};

reports::Table summary_of(const GradeOptions& options, const std::vector<Graded>& lines) {
  std::vector<Summarized> all;
  std::set<std::string> results;
  for (const std::string& case_name : options.cases)
    for (const Graded& line : lines) {
      if (line.case_name != case_name) continue;
      auto group = std::ranges::find_if(
          all, [&](const Summarized& s) { return s.case_name == case_name && s.placement == line.placement; });
      if (group == all.end()) group = all.insert(all.end(), {case_name, line.placement, {}});
      ++group->results[result_of(line.of)];
      results.insert(result_of(line.of));
      if (line.is_right) group->speeds.push_back(line.speed);
    }
  using reports::TableCell;
  const auto number = [](int n) { return TableCell(std::to_string(n), n); };
  std::vector<reports::Column<Summarized>> columns = {{"Case", "case", &Summarized::case_name},
                                                      {"Programs", "programs",
                                                       [&](const Summarized& s) {
                                                         int sum = 0;
                                                         for (const auto& [result, count] : s.results)
                                                           sum += count;
                                                         return number(sum);
                                                       }},
                                                      {"Placement", "placement", &Summarized::placement}};
  for (const std::string& result : results)
    columns.push_back(
        {result, replace_all(slug(result), "-", "_"), [&, result](const Summarized& s) { return number(s.count(result)); }});
  const auto speed = [](const char* heading, const char* name, auto of) {
    return reports::Column<Summarized>{heading, name,
                                       [of](const Summarized& s) { return s.speeds.empty() ? unknown : 1e-6 * of(s.speeds); }};
  };
  columns.push_back(speed("Slowest, MLUPS", "mlups_slowest", [](const auto& speeds) { return std::ranges::min(speeds); }));
  columns.push_back(speed("Median, MLUPS", "mlups_median", [](const auto& speeds) { return median(speeds); }));
  columns.push_back(speed("Fastest, MLUPS", "mlups_fastest", [](const auto& speeds) { return std::ranges::max(speeds); }));
  return reports::tabulate(table_names[2].file, title_of(table_names[2], options), columns, all);
}

/// Refuses to replace files that this command did not write. @throws InputError
void require_own_files(const fs::path& folder) {
  for (const TableName& table : table_names) {
    require_own_file(folder / (table.file + std::string(".csv")), {table.header}, "an earlier table");
    require_own_file(folder / (table.file + std::string(".md")), {std::string("**") + table.title}, "an earlier table");
  }
}

}  // namespace

std::vector<fs::path> files_beside(const fs::path& program, const std::vector<std::string>& globs) {
  const ContenderFormat& format = contender_formats().front();
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::absolute(program).parent_path(), none)) {
    const fs::path name = entry.path().filename();
    const auto is_name = [&](const std::string& other) { return name == other; };
    if (std::ranges::any_of(format.inputs, is_name) || std::ranges::any_of(format.results, is_name)) continue;
    const bool is_needed =
        name.extension() == ".cl" || std::ranges::any_of(globs, [&](const auto& glob) { return matches(glob, name.string()); });
    if (is_needed && name != program.filename() && entry.is_regular_file(none)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void require_matches(const std::vector<std::string>& globs, const std::vector<fs::path>& files) {
  for (const std::string& glob : globs)
    if (std::ranges::none_of(files, [&](const fs::path& file) { return matches(glob, file.filename().string()); }))
      throw InputError(fmt::format("--copy '{}': accepted: a glob that matches a file next to a program", glob));
}

std::vector<Submission> find_submissions(const fs::path& folder, std::vector<std::string>& left_out,
                                         const std::vector<std::string>& globs) {
  std::error_code error;
  std::vector<Submission> all;
  const fs::directory_iterator entries(folder, error);
  if (error) throw InputError(fmt::format("{}: {}; accepted: a folder of programs", folder.string(), error.message()));
  for (const auto& entry : entries) {
    const std::string name = visible(entry.path().filename().string());
    if (name.starts_with('.')) {
      if (is_program(entry.path()) || is_program(entry.path() / program_name)) left_out.push_back(name);
      continue;
    }
    if (entry.is_directory(error) && is_program(entry.path() / program_name))
      all.push_back({name, entry.path() / program_name, files_beside(entry.path() / program_name, globs)});
    else if (is_program(entry.path()))
      all.push_back({name, entry.path(), files_beside(entry.path(), globs)});
    else if (entry.path().extension() != ".cl")
      left_out.push_back(name);
  }
  if (all.empty())
    throw InputError(fmt::format("{}: no program in it; accepted: a folder of executables, or of folders with an executable {}",
                                 folder.string(), program_name));
  std::vector<fs::path> files;
  for (const Submission& submission : all)
    files.insert(files.end(), submission.needs.begin(), submission.needs.end());
  require_matches(globs, files);
  std::ranges::sort(all, {}, &Submission::name);
  std::ranges::sort(left_out);
  return all;
}

std::string disturbance_of(const std::vector<Row>& samples, int processors, double quota) {
  const auto most = [&](const auto& is_so) { return 2 * std::ranges::count_if(samples, is_so) > std::ssize(samples); };
  const auto median_of = [&](double Row::*value) {
    std::vector<double> values;
    for (const Row& row : samples)
      values.push_back(row.*value);
    return median(values);
  };
  constexpr const char* again = "measure again on a quiet machine";
  if (most([](const Row& row) { return row.other_load > NoiseFlags::accepted_load; }))
    return fmt::format("other processes kept {:.1f} processors busy: {}", median_of(&Row::other_load), again);
  if (most([](const Row& row) { return row.steal > NoiseFlags::accepted_steal; }))
    return fmt::format("the hypervisor took {:.1f} processors: {}", median_of(&Row::steal), again);
  const auto allowed = [](const Row& row) { return processors_in(row.affinity); };
  if (most([&](const Row& row) { return allowed(row) > 0 && allowed(row) < processors; }))
    return fmt::format("confined to {} of {} processors: measure on the whole machine", allowed(samples.front()), processors);
  if (!samples.empty() && quota < processors)
    return fmt::format("confined to {:.3g} of {} processors by a quota: measure on the whole machine", quota, processors);
  return "";
}

std::string next_step(const GradeFacts& facts) {
  if (!facts.disturbance.empty()) return facts.disturbance;
  const bool is_one_core = facts.cores > 1 && facts.busy_cores < 1.5;
  std::string text;
  if (facts.over_skeleton < 1.05) text = "no faster than the skeleton: compiler flags first (-O3 -march=native)";
  if (is_one_core)
    text += fmt::format("{}{} of {} cores is busy: threads (OpenMP over rows)", text.empty() ? "" : "; ", 1, facts.cores);
  if (!text.empty()) return text;
  if (std::isnan(facts.of_copy)) return "copy-9 was not measured";
  const std::string share = fmt::format("{} of copy-9: ", percent(facts.of_copy));
  if (facts.of_copy < 0.3)
    return share +
           "far from the memory's limit: one array per population (SoA) so that loops vectorise, "
           "and one pass per step (fuse the loops)";
  if (facts.of_copy < 0.7)
    return share + "fuse all loops into one pass, swap pointers, place pages by first touch, non-temporal stores";
  if (facts.of_copy > 1)
    return share +
           "faster than one pass per step allows: several steps per pass, a GPU, or too short a time; compare its wall time";
  return share + "near the limit of one pass per step: only moving fewer bytes helps (in-place streaming, temporal blocking)";
}

int grade(const Context& context, GradeOptions options) {
  std::set<std::string> cases;
  std::erase_if(options.cases, [&](const std::string& name) { return !cases.insert(name).second; });  // given twice
  std::vector<std::string> left_out;
  const std::vector<Submission> submissions = find_submissions(options.folder, left_out, options.copy);
  for (const std::string& name : left_out)
    print_err("{}: left out: hidden, or neither an executable nor a folder with an executable {}\n", name, program_name);
  if (!options.out.empty()) {
    require_own_files(options.out);
    for (const TableName& table : table_names)
      require_writable(options.out, {table.file + std::string(".csv"), table.file + std::string(".md")});
  }
  Catalogue catalogue(context.bin);
  Study study = study_of(context, options, catalogue);
  std::set<std::string> taken;
  std::vector<std::string> ids;
  for (const Submission& submission : submissions) {
    ids.push_back(id_of(submission.name, taken));
    if (!id_slug(submission.name).starts_with(ids.back()))
      print_err("{}: stored as contender/{}, because another name is alike\n", submission.name, ids.back());
    study.contenders.push_back(block_of(submission, ids.back(), options));
  }
  const RunSummary summary = run_study(study, catalogue,
                                       {.root = context.root,
                                        .machine = options.machine,
                                        .budget_seconds = options.budget_seconds,
                                        .again = true,
                                        .resume = true,
                                        .command = context.command});
  std::vector<Graded> lines;
  const std::vector<Placement> placements = contender_placements(options.placements);
  for (const std::string& case_name : options.cases) {
    const Timed base = measured_of(summary.measured, skeleton, case_name);
    const double bytes =
        base.sample == nullptr ? 0 : base.sample->bytes_per_update_minimum * static_cast<double>(base.sample->cells);
    const double copied = copy_speed(summary.measured, bytes);
    for (std::size_t i = 0; i < submissions.size(); ++i)
      for (const Placement& placement : placements) {
        const Timed of = measured_of(summary.measured, "contender/" + ids[i], case_name, to_string(placement));
        lines.push_back(graded(submissions[i].name, case_name, to_string(placement), of, base, copied));
      }
  }
  std::ranges::stable_sort(lines, {}, &Graded::name);
  reports::Table table = table_of(options, lines);
  double tolerance = unknown;
  for (const Row& row : summary.measured)
    tolerance = std::fmax(tolerance, row.relative_tolerance);
  table.caption = fmt::format(
      "Right: {}within this project's tolerance. Speeds are medians of {} rounds in which "
      "all "
      "programs, {} and copy-9 at the working set of the case took turns. Clock: the time is what the program prints, or the "
      "wall time of its process. Rows: {}, session {}.",
      std::isnan(tolerance) ? "" : fmt::format("within {:g} % of the reference, and ", 100 * tolerance), summary.rounds,
      skeleton, summary.rows.string(), summary.session);
  reports::Table ranking = ranking_of(options, lines);
  ranking.caption = "Right programs, fastest first; see the table of programs.";
  reports::Table class_summary = summary_of(options, lines);
  class_summary.caption = "Number of programs by result, and speeds of the right ones.";
  const reports::Table* tables[] = {&table, &ranking, &class_summary};
  for (const reports::Table* one : tables) {
    print_out("{}{}\n", to_text(*one), one->caption);
    if (!options.out.empty())
      write_files(options.out, {{one->id + ".csv", reports::to_csv(*one)}, {one->id + ".md", reports::to_markdown(*one)}});
  }
  if (!options.out.empty())
    print_out("tables: {}/grade, grade-ranking and grade-summary, each as .md and .csv\n", options.out.string());
  if (summary.not_run > 0) return exit_bad_input;
  return std::ranges::all_of(lines, &Graded::is_right) && summary.failed == 0 ? exit_ok : exit_check_failed;
}

}  // namespace ladder
