#include "program/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <optional>
#include <set>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/statistics.hpp"
#include "harness/record/tuning.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/ncu.hpp"
#include "harness/run/store.hpp"
#include "program/processor_profile.hpp"
#include "program/profiling.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr double timeout_seconds = 1800;
constexpr const char* without_counters = "; reports show the modelled bytes instead, labelled as such";
constexpr std::int64_t few_steps = 16;
constexpr std::int64_t many_steps = 1024;
/// A smaller lattice may fit in the L2 cache of a GPU.
constexpr double may_be_cached_bytes = 512e6;

/// Nsight Compute's command-line program: the one that LADDER_NCU names, otherwise `ncu`.
fs::path find_ncu() {
  const char* named = std::getenv("LADDER_NCU");
  if (named != nullptr && *named != '\0') {
    if (access(named, X_OK) == 0) return named;
    throw InputError(fmt::format("LADDER_NCU is '{}', which is no program; accepted: the path of Nsight Compute's ncu", named));
  }
  if (const std::string found = found_on_path("ncu", "/usr/local/cuda/bin"); !found.empty()) return found;
  throw InputError(
      "profile needs Nsight Compute, whose 'ncu' is neither in PATH nor in /usr/local/cuda/bin (LADDER_NCU may name it); "
      "without it, reports show the bytes of the rung's model, labelled so");
}

/// The three longest stalls.
std::string main_stalls(const std::string& all) {
  auto stalls = split(all, ';');
  stalls.resize(std::min<std::size_t>(stalls.size(), 3));
  return fmt::format("{}", fmt::join(stalls, ";"));
}

std::string kernel_name(const Profile& row) { return row.kind == "step" ? "all" : row.kernel; }

class Profiler {
 public:
  Profiler(const Context& context, const ProfileOptions& options, Catalogue& catalogue)
      : context_(context),
        options_(options),
        catalogue_(catalogue),
        session_(context, catalogue, machine_name(options.machine), profile_folder(context, options.study), "profile"),
        ncu_(find_ncu()),
        version_(ask_version()),
        metrics_(ncu_metrics(options.details)) {}

  /// @throws Unavailable, InputError; std::runtime_error if the rung or its profile is wrong
  void profile(const Executable& rung) {
    const Cell cell = profiled_cell(catalogue_, rung, session_.folder(),
                                    {.case_name = options_.case_name,
                                     .precision = options_.precision,
                                     .placement = "",
                                     .settings = options_.settings,
                                     .launcher = {}});
    std::int64_t steps = options_.steps > 0 ? options_.steps : few_steps;
    const double footprint = run_alone(cell, steps);
    const bool may_be_cached = footprint < may_be_cached_bytes;
    const std::string replay = options_.replay != "auto" ? options_.replay : may_be_cached ? "application" : "kernel";
    auto launches = read_counters(cell, steps, replay);
    // A kernel that advances several steps does some work only once; with many steps, that work weighs as little as in a long
    // run.
    if (options_.steps == 0 && static_cast<std::int64_t>(launches.size()) < steps) {
      steps = many_steps;
      launches = read_counters(cell, steps, replay);
    }
    auto rows = rows_of(cell, launches, steps, replay, footprint);
    std::exception_ptr failure;  // thrown once the counters are stored
    try {
      if (options_.slowdown) time_steps(cell, rows.back());
    } catch (const std::runtime_error&) {
      failure = std::current_exception();
    }
    session_.add(rung, cell, [&](Provenance& out) {
      store_.emplace(file());
      if (options_.study == profile_study) describe_profile_study(session_.folder());
      out.profiler = ProfilerFacts{"Nsight Compute", version_, metrics_};
    });
    store(rows);
    print(rows);
    if (failure) std::rethrow_exception(failure);
  }

  [[nodiscard]] fs::path file() const { return session_.file(); }

 private:
  [[nodiscard]] std::string ask_version() const {
    const ProcessResult answer = run_process(ncu_, {"--version"}, 60);
    const std::string version = ncu_version(answer.out);
    if (!succeeded(answer) || version.empty())
      throw InputError(fmt::format("{} is not Nsight Compute: '{} --version' says: {}", ncu_.string(), ncu_.filename().string(),
                                   excerpt(answer.out + answer.err)));
    return version;
  }

  /// Runs the rung without a profiler, to see whether it runs here and is correct. Returns its footprint in bytes.
  static double run_alone(const Cell& cell, std::int64_t steps) {
    const auto arguments = profile_arguments(cell, steps);
    return profile_answer(run_launched(cell.launch, cell.executable->path, arguments, timeout_seconds), timeout_seconds)
        .footprint_bytes;
  }

  /// Runs a rung's command under Nsight Compute, which writes the counters to `log`.
  [[nodiscard]] ProcessResult run_ncu(const Cell& cell, const std::vector<std::string>& metrics, const std::string& replay,
                                      const std::string& range, const std::vector<std::string>& command,
                                      const fs::path& log) const {
    std::vector<std::string> arguments;
    for (const std::string_view word : split("--csv --page raw --print-units base --print-kernel-base function "
                                             "--clock-control none --cache-control none --profile-from-start",
                                             ' '))
      arguments.emplace_back(word);
    arguments.insert(arguments.end(), {range, "--replay-mode", replay, "--log-file", log.string(), "--metrics",
                                       fmt::format("{}", fmt::join(metrics, ",")), cell.executable->path.string()});
    std::ranges::copy(command, std::back_inserter(arguments));
    return run_launched(launch_of({}), ncu_, arguments, timeout_seconds);
  }

  std::vector<KernelLaunch> read_counters(const Cell& cell, std::int64_t steps, const std::string& replay) {
    const TemporaryFolder folder;
    const fs::path log = folder.path() / "ncu.csv";
    while (true) {
      const ProcessResult result = run_ncu(cell, metrics_, replay, "off", profile_arguments(cell, steps), log);
      std::error_code error;
      const std::string said = (fs::exists(log, error) ? read_whole(log) : std::string()) + "\n" + result.err;
      if (is_permission_error(said))
        throw InputError(
            "this user may not read the GPU's counters (ERR_NVGPUCTRPERM): Nsight Compute needs to run as root, or the "
            "driver's option NVreg_RestrictProfilingToAdminUsers=0; without them, reports show the bytes of the rung's model, "
            "labelled so");
      const auto unknown = unknown_metrics(said, metrics_);
      if (!succeeded(result) && !unknown.empty() && unknown.size() < metrics_.size()) {
        print_err("Nsight Compute {} does not know {}; left out\n", version_, fmt::join(unknown, ", "));
        std::erase_if(metrics_, [&](const std::string& metric) {
          return std::find(unknown.begin(), unknown.end(), metric) != unknown.end();
        });
        continue;
      }
      if (!succeeded(result)) {
        const Outcome outcome = outcome_of(result, timeout_seconds);
        const std::string reason = outcome.reason.empty() ? "" : outcome.reason + "; ";
        throw std::runtime_error(fmt::format("Nsight Compute failed: {}it says: {}", reason, excerpt(last_lines(said))));
      }
      try {
        auto launches = parse_ncu(said);
        say_what_is_unread(launches);
        return launches;
      } catch (const InputError& e) {
        throw std::runtime_error(fmt::format("{}; it says: {}", e.what(), excerpt(last_lines(said))));
      }
    }
  }

  /// Times a step by the rung's own clock: alone and recorded in alternating runs, then with one counter and with all of them.
  /// The last two replay kernels, not the application, because the clock of a replayed application sees only one pass.
  void time_steps(const Cell& cell, Profile& row) const {
    constexpr int rounds = 3;
    fs::path library;
    try {
      library = recording_library(context_);
    } catch (const Unavailable& e) {
      print_err("a recorded step is not timed: {}\n", e.what());
    }
    const TemporaryFolder folder;
    Launch recorded = cell.launch;
    if (!library.empty()) record_with(library, folder.path() / "timeline", recorded);
    const auto sample = measure_arguments(cell, {"--min-time", "0.2"});
    const auto run = [&](const Launch& launch) {
      return step_seconds(run_launched(launch, cell.executable->path, sample, timeout_seconds));
    };
    std::vector<double> alone, with_records;
    for (int round = 0; round < rounds; ++round) {
      alone.push_back(run(cell.launch));
      if (!library.empty()) with_records.push_back(run(recorded));
    }
    row.step_seconds = median(alone);
    if (!with_records.empty()) row.step_seconds_recorded = median(with_records);
    const auto counted_steps = measure_arguments(cell, {"--steps", std::to_string(row.steps)});
    const auto with_counters = [&](const std::vector<std::string>& metrics) {
      return step_seconds(run_ncu(cell, metrics, "kernel", "on", counted_steps, folder.path() / "ncu.csv"));
    };
    row.step_seconds_one_counter = with_counters({metrics_.front()});
    row.step_seconds_profiled = with_counters(metrics_);
  }

  /// The time per step in the sample that a rung returns. @throws std::runtime_error if there is none
  static double step_seconds(const ProcessResult& result) {
    const Outcome outcome = outcome_of(result, timeout_seconds);
    if (outcome.name != "ok")
      throw std::runtime_error(fmt::format("its step is not timed: {}: {}", outcome.name, outcome.reason));
    Row row;
    if (!read_sample(result.out, row)) throw std::runtime_error("its step is not timed: its answer to 'measure' is invalid");
    return row.seconds / static_cast<double>(row.steps);
  }

  /// Reports the metrics that were requested but not read, once each.
  void say_what_is_unread(const std::vector<KernelLaunch>& launches) {
    std::vector<std::string> unread;
    for (const std::string& metric : metrics_) {
      const auto lacks = [&](const KernelLaunch& launch) { return !launch.metrics.contains(metric); };
      const auto found = std::find_if(launches.begin(), launches.end(), lacks);
      if (found == launches.end() || !said_.insert(metric).second) continue;
      const auto text = found->unread.find(metric);
      unread.push_back(text == found->unread.end() ? metric : fmt::format("{} ('{}')", metric, text->second));
    }
    if (!unread.empty())
      print_err("Nsight Compute {} did not read {}; what follows from them stays empty\n", version_, fmt::join(unread, ", "));
  }

  /// Nsight Compute's messages: its lines that begin with `==`, except progress.
  static std::string last_lines(const std::string& text) {
    std::string own;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      if (line.starts_with("==") && !line.starts_with("==PROF==")) own += line + " ";
      at = end + 1;
    }
    return own.empty() ? text.substr(0, 1000) : own;
  }

  [[nodiscard]] std::vector<Profile> rows_of(const Cell& cell, const std::vector<KernelLaunch>& launches, std::int64_t steps,
                                             const std::string& replay, double footprint) const {
    Profile row = profile_of(cell, steps, footprint);
    row.profiler = "ncu " + version_;
    row.replay = replay;
    std::vector<Profile> rows;
    for (const KernelProfile& kernel : by_kernel(launches)) {
      row.kind = "kernel";
      set_counters(row, kernel);
      rows.push_back(row);
    }
    row.kind = "step";
    set_counters(row, together(launches));
    if (std::isnan(row.dram_bytes()))
      throw std::runtime_error("Nsight Compute did not read the bytes of DRAM: dram__bytes_read.sum, dram__bytes_write.sum");
    rows.push_back(row);
    return rows;
  }

  void store(std::vector<Profile> rows) {
    for (Profile& row : rows)
      row.session = session_.id();
    store_->append(rows);
  }

  static void print(const std::vector<Profile>& rows) {
    const Profile& step = rows.back();
    const double measured = step.dram_bytes_per_update();
    print_out("{} {} {}{}{}: {} steps, replay of the {}\n", step.rung, step.case_name, step.precision,
              step.tuning.empty() ? "" : " ", step.tuning, step.steps, step.replay);
    print_out("  DRAM {} B per update (read {}, written {}); the model says {} (measured/model {}), the minimum is {}\n",
              significant(measured), significant(step.per_update(step.dram_bytes_read)),
              significant(step.per_update(step.dram_bytes_written)), significant(step.bytes_per_update_model),
              significant(measured / step.bytes_per_update_model), significant(step.bytes_per_update_minimum));
    using reports::share_cell;
    const auto per_update = [](double Profile::*sum) { return [sum](const Profile& row) { return row.per_update(row.*sum); }; };
    print_out("{}", to_text(reports::tabulate("kernels", "",
                                              {{"kernel", "", kernel_name},
                                               {"launches", "", &Profile::launches},
                                               {"DRAM B", "", &Profile::dram_bytes_per_update},
                                               {"L2 B", "", per_update(&Profile::l2_bytes)},
                                               {"L1 B", "", per_update(&Profile::l1_bytes)},
                                               {"occup.", "", &Profile::occupancy, share_cell},
                                               {"at most", "", &Profile::occupancy_limit, share_cell},
                                               {"regs", "", &Profile::registers_per_thread},
                                               {"FMA", "", &Profile::fma_share, share_cell},
                                               {"stalls, warps per instruction", "", &Profile::stalls_text, main_stalls}},
                                              rows)));
    if (step.has_details()) print_details(rows);
    if (!std::isnan(step.step_seconds)) print_times(step);
    flush_output();
  }

  static void print_details(const std::vector<Profile>& rows) {
    using reports::share_cell;
    const auto detail = [](std::string_view name) {
      return [at = place_of_detail(name)](const Profile& row) { return row.details.at(at); };
    };
    const auto active = [&](const Profile& row) { return detail("active_cycles")(row) / detail("elapsed_cycles")(row); };
    const auto clock = [](double hertz) { return reports::TableCell(significant(hertz / 1e6, 4) + " MHz"); };
    print_out("{}", to_text(reports::tabulate("details", "",
                                              {{"of the peak", "", kernel_name},
                                               {"SM", "", detail("sm_throughput"), share_cell},
                                               {"memory", "", detail("memory_throughput"), share_cell},
                                               {"L1", "", detail("l1_throughput"), share_cell},
                                               {"L2", "", detail("l2_throughput"), share_cell},
                                               {"DRAM", "", detail("dram_throughput"), share_cell},
                                               {"SM clock", "", detail("sm_frequency"), clock},
                                               {"SM active", "", active, share_cell}},
                                              rows)));
  }

  static void print_times(const Profile& step) {
    const auto slower = [&](double seconds) {
      return std::isnan(seconds)
                 ? std::string("—")
                 : fmt::format("{} µs ({}×)", significant(1e6 * seconds), significant(seconds / step.step_seconds));
    };
    print_out("  a step takes {} µs; recorded {}, with one counter {}, with all counters {}\n",
              significant(1e6 * step.step_seconds), slower(step.step_seconds_recorded), slower(step.step_seconds_one_counter),
              slower(step.step_seconds_profiled));
  }

  const Context& context_;
  const ProfileOptions& options_;
  Catalogue& catalogue_;
  ProfileSession session_;
  const fs::path ncu_;
  const std::string version_;
  std::vector<std::string> metrics_;
  std::set<std::string> said_;  ///< unread metrics that were already reported
  std::optional<ProfileStore> store_;
};

/// The rungs that the globs match, each once, glob by glob in ladder order.
std::vector<const Executable*> chosen(Catalogue& catalogue, const std::vector<std::string>& globs) {
  std::vector<const Executable*> all;
  for (const std::string& glob : globs)
    for (const Executable* rung : catalogue.match_built(glob))
      if (std::find(all.begin(), all.end(), rung) == all.end()) all.push_back(rung);
  return all;
}

}  // namespace

int profile(const Context& context, const ProfileOptions& options) {
  Catalogue catalogue(context.bin);
  if (!options.precision.empty()) find_number(options.precision);
  parse_settings(options.settings);
  machine_name(options.machine);
  const auto rungs = chosen(catalogue, options.rungs);
  const bool is_one = rungs.size() == 1;
  const auto is_of_processor = [](const Executable* rung) { return processor_backends().contains(rung->backend); };
  const auto why_not = [&](const Executable* rung) {
    return is_of_processor(rung) ? std::string() : why_no_profiler(catalogue, *rung);
  };
  if (rungs.empty()) throw Unavailable("none of these rungs is built");
  if (std::all_of(rungs.begin(), rungs.end(), [&](const Executable* rung) { return !why_not(rung).empty(); }))
    throw InputError(why_not(rungs.front()) + without_counters + backends_with_profiler(catalogue, processor_backends()));
  if (std::all_of(rungs.begin(), rungs.end(), is_of_processor) &&
      (options.details || options.slowdown || options.replay != "auto"))
    throw InputError("--details, --slowdown and --replay are for rungs on GPUs; these rungs run on processors");
  std::optional<Profiler> gpu;
  std::optional<ProcessorProfiler> processor;
  int failed = 0;
  int profiled = 0;
  std::string reason;
  fs::path file;
  for (const Executable* rung : rungs) {
    try {
      if (const std::string why = why_not(rung); !why.empty()) throw Unavailable(why + without_counters);
      if (is_of_processor(rung)) {
        if (!processor) processor.emplace(context, options, catalogue);
        if (processor->profile(*rung)) file = processor->file();
      } else {
        if (!gpu) gpu.emplace(context, options, catalogue);
        gpu->profile(*rung);
        file = gpu->file();
      }
      ++profiled;
    } catch (const InputError&) {
      throw;
    } catch (const Unavailable& e) {
      if (is_one) throw;
      reason = e.what();
      print_err("skipped: {}{}\n", reason.starts_with(rung->id) ? "" : rung->id + ": ", reason);
    } catch (const std::runtime_error& e) {
      print_err("ladder: {}: {}\n", rung->id, e.what());
      ++failed;
    }
  }
  if (failed == 0 && profiled == 0) throw InputError(fmt::format("no rung could be profiled: {}", reason));
  if (!file.empty()) print_out("rows: {}\n", file.string());
  return failed == 0 ? exit_ok : exit_check_failed;
}

}  // namespace ladder
