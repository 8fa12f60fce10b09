#include "program/grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
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
#include "reports/document.hpp"
#include "roofline/model/machine.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* skeleton = GradeOptions::skeleton;
constexpr const char* program_name = "d2q9-bgk";
constexpr const char* copy = "copy-9";
constexpr const char* title_start = "Programs of ";
constexpr const char* csv_name = "grade.csv";
constexpr const char* md_name = "grade.md";
constexpr double unknown = Row::unknown;

/// A file's name in which control characters and bytes that are not UTF-8 are visible, e.g. `\x0a`, because a line break in a
/// name would forge a line of the table.
std::string visible(const std::string& name) {
  const bool is_text = is_utf8(name);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool is_shown = byte >= ' ' && byte != 0x7f && (byte < 0x80 || is_text);
    const std::size_t count = starts_with_c1(std::string_view(name).substr(i)) ? 2 : is_shown ? 0 : 1;
    if (count == 0) out += name[i];
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

/// The rows of one program, or of the skeleton, on one case.
struct Timed {
  const Row* failed = nullptr;
  const Row* check = nullptr;
  const Row* sample = nullptr;  ///< the last one
  Series speeds;
  std::vector<double> seconds, busy_cores;
  std::vector<Row> samples;
  std::set<std::string> doubts;  ///< as in the column `suspicious`

  /// Whether only this project's tolerance is exceeded, not the coursework's.
  [[nodiscard]] bool passes_coursework() const {
    return failed != nullptr && failed == check && failed->outcome == "wrong" &&
           check->relative_error <= check->relative_tolerance;
  }
};

Timed measured_of(const std::vector<Row>& rows, const std::string& rung, const std::string& case_name) {
  Timed all;
  for (const Row& row : rows) {
    if (row.rung != rung || row.case_name != case_name) continue;
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
  std::string name, case_name;
  Timed of;
  bool is_right = of.failed == nullptr && of.sample != nullptr;
  double seconds = is_right ? median(of.seconds) : unknown;
  double speed = is_right ? median(of.speeds) : unknown;
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

Graded graded(const std::string& name, const std::string& case_name, const Timed& of, const Timed& base, double copied) {
  Graded line{name, case_name, of};
  if (line.is_right) line.ratio = paired_ratio(of.speeds, base.speeds);
  line.facts = {line.is_right ? median(of.busy_cores) : unknown, this_machine().cores, line.speed / copied, line.ratio.value,
                disturbance_of(of.samples, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), control_groups().processors)};
  return line;
}

/// The table, still without its caption.
reports::Table table_of(const GradeOptions& options, const std::vector<Graded>& lines) {
  using reports::TableCell;
  const auto difference = [](double d) { return TableCell(std::isnan(d) ? "—" : fmt::format("{:.2g} %", 100 * d), d); };
  const auto ratio = [](const Ratio& r) { return TableCell(times(r.value) + interval_text(r.interval), r.value); };
  return reports::tabulate(
      "grade", title_start + visible(fs::absolute(options.folder / "").parent_path().filename().string()),
      {{"Program", "program", &Graded::name},
       {"Case", "case", &Graded::case_name},
       {"Result", "result", [](const Graded& g) { return result_of(g.of); }},
       {"Largest difference", "relative_error", &Graded::difference, difference},
       {"Steps", "steps", [](const Graded& g) { return TableCell(g.is_right ? std::to_string(g.of.sample->steps) : "—"); }},
       {"Time, s", "seconds", &Graded::seconds},
       {"Clock", "time_source", [](const Graded& g) { return g.is_right ? g.of.sample->time_source : "—"; }},
       {"MLUPS", "mlups", [](const Graded& g) { return g.speed * 1e-6; }},
       {"Over skeleton", "over_skeleton", &Graded::ratio, ratio},
       {"Busy cores", "busy_cores", [](const Graded& g) { return reports::number_cell(g.facts.busy_cores, 2); }},
       {"Of copy-9", "fraction_of_copy", [](const Graded& g) { return TableCell(percent(g.facts.of_copy), g.facts.of_copy); }},
       {"Doubts", "doubts", &Graded::doubts},
       {"Look at next", "next", &Graded::next}},
      lines);
}

/// Refuses to replace files that this command did not write. @throws InputError
void require_own_files(const fs::path& folder) {
  for (const auto& [name, start] : {std::pair{csv_name, "program,case,result,"}, {md_name, "**Programs of "}}) {
    std::error_code none;
    if (!fs::exists(folder / name, none)) continue;
    std::ifstream file(folder / name);
    std::string first;
    std::getline(file, first);
    if (!first.starts_with(start))
      throw InputError(
          fmt::format("{}: another program wrote this file, and it would be replaced; accepted: a folder without "
                      "it, or one with an earlier table",
                      (folder / name).string()));
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
    if (name.starts_with('.')) continue;
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

int grade(const Context& context, const GradeOptions& options) {
  std::vector<std::string> left_out;
  const std::vector<Submission> submissions = find_submissions(options.folder, left_out, options.copy);
  for (const std::string& name : left_out)
    print_err("{}: left out: no executable, and no folder with an executable {}\n", name, program_name);
  if (!options.out.empty()) {
    require_own_files(options.out);
    require_writable(options.out, {csv_name, md_name});
  }
  Catalogue catalogue(context.bin);
  Study study = study_of(context, options, catalogue);
  std::set<std::string> taken;
  std::vector<std::string> ids;
  for (const Submission& submission : submissions) {
    ids.push_back(id_of(submission.name, taken));
    study.contenders.push_back(block_of(submission, ids.back(), options));
  }
  const RunSummary summary = run_study(study, catalogue,
                                       {.root = context.root,
                                        .machine = options.machine,
                                        .budget_seconds = options.budget_seconds,
                                        .again = true,
                                        .command = context.command});
  std::vector<Graded> lines;
  for (const std::string& case_name : options.cases) {
    const Timed base = measured_of(summary.measured, skeleton, case_name);
    const double bytes =
        base.sample == nullptr ? 0 : base.sample->bytes_per_update_minimum * static_cast<double>(base.sample->cells);
    const double copied = copy_speed(summary.measured, bytes);
    for (std::size_t i = 0; i < submissions.size(); ++i) {
      const Timed of = measured_of(summary.measured, "contender/" + ids[i], case_name);
      lines.push_back(graded(submissions[i].name, case_name, of, base, copied));
    }
  }
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
  print_out("{}{}\n", to_text(table), table.caption);
  if (!options.out.empty()) {
    write_files(options.out, {{csv_name, reports::to_csv(table)}, {md_name, reports::to_markdown(table)}});
    print_out("table: {} and {}\n", (options.out / md_name).string(), csv_name);
  }
  if (summary.not_run > 0) return exit_bad_input;
  return std::ranges::all_of(lines, &Graded::is_right) && summary.failed == 0 ? exit_ok : exit_check_failed;
}

}  // namespace ladder
