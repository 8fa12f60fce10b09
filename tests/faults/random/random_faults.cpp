// Disturbs a study at random for a given time with signals, I/O errors, truncated and corrupt stores, and concurrent writers.
// However often it was disturbed, it must end with the rows of an undisturbed study.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/session.hpp"
#include "tests/faults/random/disturbed.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Options {
  double seconds = 60;
  unsigned seed = std::random_device()();
  fs::path study;
  fs::path results;    ///< folder of <machine>.faults.csv, which receives one row per fault; empty for none
  std::string commit;  ///< commit of the sources, stored in these rows
  fs::path keep;       ///< folder for the results of studies that fail this test; empty for none
};

/// A way to disturb a study, and the results.
struct Fault {
  std::string name;
  bool signals = false, io_errors = false, cut_stores = false, corrupt_stores = false, second_writers = false;
  int disturbances = 0, studies = 0, lost = 0, doubled = 0, others = 0;
  int findings = 0;  ///< studies that ended with unexpected rows, and runs that ended in an unexpected way
};

constexpr std::array signals{SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1};

/// During the lifetime of this object, calls on files in a folder may fail in programs that are started.
class IoErrors {
 public:
  IoErrors(const std::string& folder, const std::string& log, std::size_t seed, std::size_t every) : log_(log) {
    fs::remove(log);
    setenv("LADDER_IO_FAULTS_BELOW", folder.c_str(), 1);
    setenv("LADDER_IO_FAULTS_SEED", std::to_string(seed).c_str(), 1);
    setenv("LADDER_IO_FAULTS_EVERY", std::to_string(every).c_str(), 1);
    setenv("LADDER_IO_FAULTS_LOG", log.c_str(), 1);
    setenv("LD_PRELOAD", LADDER_IO_FAULTS, 1);
  }
  IoErrors(const IoErrors&) = delete;
  IoErrors& operator=(const IoErrors&) = delete;
  ~IoErrors() { unsetenv("LD_PRELOAD"); }

  /// One line per failed call.
  [[nodiscard]] std::string log() const {
    std::ifstream file(log_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string log_;
};

class Campaign {
 public:
  explicit Campaign(Options options) : options_(std::move(options)) {
    std::ifstream file(options_.study);
    if (!file) throw InputError(fmt::format("{}: cannot be read; accepted: a study.toml", options_.study.string()));
    on_.study("disturbed", {std::istreambuf_iterator<char>(file), {}});
  }

  /// Whether every fault was tried and there are no findings.
  bool run() {
    fmt::print("seed {}\n", options_.seed);
    const auto begin = Clock::now();
    wanted_code_ = study_.end_of(study_.start(), 600).code;
    longest_ = since(begin);
    if (wanted_code_ != exit_ok && wanted_code_ != exit_check_failed)
      throw InputError(fmt::format("{}: fails without any disturbance: {}", options_.study.string(), said()));
    wanted_ = study_.rows();
    end_ = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.seconds));
    // Tries each fault at least once.
    for (std::size_t trial = 0; trial < faults_.size() || Clock::now() < end_; ++trial) {
      Fault& fault = faults_[trial % faults_.size()];
      const int before = fault.findings;
      try_out(fault);
      if (fault.findings == before || options_.keep.empty()) continue;
      const fs::path kept = options_.keep / fmt::format("{}-{}", options_.seed, trial);
      fs::create_directories(kept);
      fs::copy(study_.results(), kept, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      fmt::print("{}: the files that were stored at that time\n", kept.string());
    }
    seconds_ = since(begin);
    if (const auto left = on_.processes(); !left.empty())
      find(faults_.back(), fmt::format("{} processes are left", left.size()));
    print();
    if (!options_.results.empty()) store();
    return std::all_of(faults_.begin(), faults_.end(), [](const Fault& f) { return f.findings == 0 && f.disturbances > 0; });
  }

 private:
  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  [[nodiscard]] bool toss() { return study_.choose(0, 1) == 1; }
  [[nodiscard]] std::string said() const { return on_.work().read("stderr"); }

  static void find(Fault& fault, const std::string& what) {
    ++fault.findings;
    fmt::print("finding, {}: {}\n", fault.name, what);
    std::fflush(stdout);
  }

  /// Runs a study from beginning to end and disturbs it several times.
  void try_out(Fault& fault) {
    study_.forget();
    const int before = fault.disturbances;
    const auto most = study_.choose(1, 8);
    for (std::size_t times = 0; fault.disturbances == before || (times < most && Clock::now() < end_); ++times) {
      disturb(fault);
      if (fault.corrupt_stores) corrupt(fault);
      if (!fault.cut_stores) continue;
      ++fault.disturbances;
      if (toss())
        study_.append_half_a_row();
      else
        study_.cut_last_row();
    }
    ++fault.studies;
    const DisturbedStudy::End end = study_.end_of(study_.start());
    if (!end.by_itself) return find(fault, "the last run, which is not disturbed, does not end");
    if (end.code != wanted_code_) return find(fault, fmt::format("the last run ends with {}: {}", end.code, said()));
    const StoredRows rows = study_.rows();
    const auto [lost, doubled, other] = rows.from(wanted_);
    fault.lost += lost;
    fault.doubled += doubled;
    fault.others += other;
    if (lost + doubled + other > 0) find(fault, fmt::format("{} rows lost, {} doubled, {} others", lost, doubled, other));
    if (rows.sessions != 1) find(fault, fmt::format("rows of {} sessions, which cannot be paired", rows.sessions));
  }

  void disturb(Fault& fault) {
    constexpr std::array every{5u, 20u, 80u, 320u};
    std::optional<IoErrors> errors;
    if (fault.io_errors)
      errors.emplace(study_.results(), on_.path("io.log"), study_.choose(0, 1u << 30),
                     every[study_.choose(0, every.size() - 1)]);
    std::optional<pid_t> second;
    if (fault.second_writers) second = study_.start("stderr of the second");
    const int signal = fault.signals ? signals[study_.choose(0, signals.size() - 1)] : SIGKILL;
    const double moment = fault.signals ? study_.uniform(0.001, longest_) : 60;
    const DisturbedStudy::End end = study_.end_of(study_.start(), moment, signal, toss());
    if (second) (void)study_.end_of(*second, 0);
    const std::string failed = errors ? errors->log() : "";
    fault.disturbances +=
        static_cast<int>(std::count(failed.begin(), failed.end(), '\n')) + (end.by_itself ? 0 : 1) + (second ? 1 : 0);

    const std::string why = said() + (failed.empty() ? "" : "after these calls failed:\n" + failed);
    if (end.hangs || !(end.by_itself || fault.signals))
      find(fault, fmt::format("it does not end (signal {}): {}", signal, why));
    const bool is_refused = end.code == exit_bad_input && (!failed.empty() || second);
    const bool is_interrupted =
        !end.by_itself && (end.signal == signal || end.code == 128 + SIGINT || end.code == 128 + signal);
    if (end.code != wanted_code_ && !is_refused && !is_interrupted)
      find(fault, fmt::format("it ends with code {} (signal {}): {}", end.code, end.signal, why));
  }

  /// Expects that a store with a malformed row is refused and left unchanged, then repairs the store.
  void corrupt(Fault& fault) {
    const std::string mended = study_.store();
    if (!study_.corrupt_a_row()) return;
    ++fault.disturbances;
    const std::string wrong = study_.store();
    const DisturbedStudy::End end = study_.end_of(study_.start());
    if (end.code != exit_bad_input || study_.store() != wrong)
      find(fault, fmt::format("a row without a comma: the run ends with {}: {}", end.code, said()));
    study_.set_store(mended);
  }

  void print() const {
    fmt::print("{:16} {:>12} {:>8} {:>10} {:>6} {:>8} {:>7}\n", "fault", "disturbances", "studies", "rows each", "lost",
               "doubled", "others");
    for (const Fault& f : faults_)
      fmt::print("{:16} {:>12} {:>8} {:>10} {:>6} {:>8} {:>7}\n", f.name, f.disturbances, f.studies, wanted_.counts.size(),
                 f.lost, f.doubled, f.others);
    fmt::print("{:.0f} s, seed {}\n", seconds_, options_.seed);
  }

  /// Appends one row per fault; docs/reports.md describes the columns.
  void store() const {
    const fs::path path = options_.results / (machine_name("") + ".faults.csv");
    fs::create_directories(options_.results);
    const bool is_new = !fs::exists(path);
    std::ofstream file(path, std::ios::app);
    if (is_new) file << "utc,commit,seed,seconds,fault,disturbances,studies,rows,lost,doubled,others,findings\n";
    const std::string utc = utc_now();
    for (const Fault& f : faults_)
      file << fmt::format("{},{},{},{:.0f},{},{},{},{},{},{},{},{}\n", utc, options_.commit, options_.seed, seconds_, f.name,
                          f.disturbances, f.studies, wanted_.counts.size(), f.lost, f.doubled, f.others, f.findings);
    if (!file.flush()) throw InputError(fmt::format("{}: cannot be written", path.string()));
  }

  const Options options_;
  const Installation on_;
  DisturbedStudy study_{on_, "disturbed", options_.seed};
  StoredRows wanted_;
  int wanted_code_ = 0;
  double longest_ = 0, seconds_ = 0;
  Clock::time_point end_;
  std::vector<Fault> faults_{{.name = "signal", .signals = true},
                             {.name = "I/O error", .io_errors = true},
                             {.name = "incomplete row", .signals = true, .cut_stores = true},
                             {.name = "corrupt row", .signals = true, .corrupt_stores = true},
                             {.name = "second writer", .signals = true, .second_writers = true},
                             {.name = "all of them",
                              .signals = true,
                              .io_errors = true,
                              .cut_stores = true,
                              .corrupt_stores = true,
                              .second_writers = true}};
};

}  // namespace
}  // namespace ladder::test

int main(int argc, char** argv) {
  // `ladder` keeps ignoring signals that were ignored when it started, e.g. under nohup and in background jobs.
  for (const int number : ladder::test::signals)
    std::signal(number, SIG_DFL);
  CLI::App app{"Disturbs a study at random and compares its rows with those of an undisturbed study.", "random_faults"};
  ladder::test::Options options;
  std::string time;
  app.add_option("STUDY", options.study, "study.toml of the study")->required();
  app.add_option("--time", time, "duration, e.g. 60s, 1h")->required();
  app.add_option("--seed", options.seed, "seed of all random choices; default: a new one each time");
  app.add_option("--results", options.results, "folder of <machine>.faults.csv, which gets one row per fault");
  app.add_option("--commit", options.commit, "commit of the sources, stored in these rows");
  app.add_option("--keep", options.keep, "folder for the results of studies that do not end as they must");
  try {
    app.parse(argc, argv);
    const auto seconds = ladder::parse_duration(time);
    if (!seconds) throw ladder::InputError(fmt::format("--time is '{}'; accepted is e.g. 60s, 10m or 1h", time));
    options.seconds = *seconds;
    return ladder::test::Campaign(options).run() ? ladder::exit_ok : ladder::exit_check_failed;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? ladder::exit_ok : ladder::exit_bad_input;
  } catch (const ladder::InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return ladder::exit_bad_input;
  }
}
