#include "harness/run/flow_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/outcome.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/device_hint.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/stability.hpp"
#include "harness/run/store.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Creates the files that are missing in the folder `results`.
class FlowFiles {
 public:
  /// `may_run`: whether a rung may still be started; if null, files are only counted.
  FlowFiles(const Study& study, Catalogue& catalogue, const fs::path& results, const std::string& machine,
            const std::function<bool()>& may_run)
      : study_(study), catalogue_(catalogue), results_(results), machine_(machine), may_run_(may_run) {}

  /// Creates all missing files.
  void make() {
    for (const auto& block : study_.fields)
      make(block);
    for (const auto& block : study_.series)
      make(block);
  }

  [[nodiscard]] const MadeFlowFiles& made() const { return made_; }
  /// Number of files that were not created.
  [[nodiscard]] std::size_t missing() const { return missing_; }

 private:
  /// Creates all missing pictures of a block in one run, and the series and row means of that run.
  void make(const FieldBlock& block) {
    if (!can_run(block.rung)) return;
    const std::string precision = number_for(catalogue_.rung(block.rung).description, "");
    std::vector<Flow> missing;
    Words words = {"picture"};
    std::vector<std::string> kinds;
    if (block.points > 0) kinds.emplace_back("series");
    if (block.layers) kinds.emplace_back("layers");
    for (const std::string& kind : kinds) {
      Flow flow = begin(kind, block.rung, block.case_name, precision, fmt::format("{} {}", block.steps, block.points));
      flow.file = fmt::format("{}.{}.{}.{}.csv", machine_, kind, flow.case_name, flow.key);
      put_last({flow});
      if (stored(flow) != nullptr) continue;
      missing.push_back(flow);
      words.insert(words.end(), {"--" + kind, (results_ / flow.file).string()});
    }
    const bool to_the_end = !missing.empty();
    if (to_the_end) words.insert(words.end(), {"--points", std::to_string(block.points)});
    Flow flow = begin("field", block.rung, block.case_name, precision, fmt::format("{} {}", block.steps, block.frames));
    std::vector<Flow> frames;
    for (std::int64_t frame = 1; frame <= block.frames; ++frame) {
      flow.steps = block.steps / block.frames * frame;
      flow.file = fmt::format("{}.field.{}.{}.{}.csv", machine_, flow.case_name, flow.steps, flow.key);
      frames.push_back(flow);
      if (stored(flow) != nullptr && !(to_the_end && frame == block.frames)) continue;
      missing.push_back(flow);
      words.insert(words.end(), {"--steps", std::to_string(flow.steps), "--out", (results_ / flow.file).string()});
    }
    run_for(missing, fmt::format("picture after {} steps", block.steps), words);
    put_last(frames);
  }

  /// Creates the series of a block.
  void make(const SeriesBlock& block) {
    if (!can_run(block.rung)) return;
    if (block.stability) return make_stability(block);
    for (const auto& case_name : block.cases) {
      const char* const kind = block.layers ? "layers" : "series";
      Flow flow = begin(kind, block.rung, case_name, block.precision, std::to_string(block.points));
      flow.file = fmt::format("{}.{}.{}.{}.csv", machine_, kind, flow.case_name, flow.key);
      Words words = {"series", "--precision", block.precision, "--points", std::to_string(block.points)};
      if (block.layers) words.emplace_back("--layers");
      words.insert(words.end(), {"--out", (results_ / flow.file).string()});
      if (stored(flow) == nullptr) run_for({flow}, kind, words);
      put_last({flow});
    }
  }

  /// Creates the file that lists which cases of a block stay bounded. Lists it again if another file with an outcome of one of
  /// its cases was listed after it, because reports use the last outcome of a rung, precision and case.
  void make_stability(const SeriesBlock& block) {
    Flow flow = begin("stability", block.rung, block.cases.front(), block.precision,
                      fmt::format("{} {}", block.points, fmt::join(block.cases, " ")));
    flow.file = fmt::format("{}.stability.{}.{}.csv", machine_, flow.case_name, flow.key);
    if (stored(flow) == nullptr) run_for_stability(flow, block);
    const Flow* const own = stored(flow);
    if (!may_run_ || own == nullptr) return;
    const auto replaces = [&](const Flow& f) {
      if (f.kind != flow.kind || f.rung != flow.rung || f.precision != flow.precision || f.key == flow.key) return false;
      const fs::path file = results_ / f.file;
      const auto lines = stability_lines(is_stored(file) ? read_stored(file) : "");
      return std::ranges::any_of(block.cases, [&](const std::string& case_name) { return lines.contains(case_name); });
    };
    if (std::any_of(own + 1, store().rows().data() + store().rows().size(), replaces)) store().append({Flow(*own)});
  }

  /// Runs all cases of a block that have no outcome yet, and rewrites the file after each. Lists the file only once every run
  /// has shown whether its flow stayed bounded; until then, the next call continues it.
  void run_for_stability(const Flow& flow, const SeriesBlock& block) {
    if (!may_run_) {
      ++missing_;
      return;
    }
    const fs::path file = results_ / flow.file;
    auto lines = stability_lines(read_if_there(file));
    try {
      for (const auto& case_name : block.cases) {
        if (lines.contains(case_name)) continue;
        if (!may_run_()) break;
        const auto line = stability_of(flow, block, case_name);
        if (!line) continue;
        lines[case_name] = *line;
        std::string text(stability_header);
        for (const auto& name : block.cases)
          if (lines.contains(name)) text += lines.at(name);
        write_file(file, text);
      }
    } catch (const InputError& e) {
      print_err("{}: no stability results: {}\n", flow.rung, e.what());
      ++made_.not_run;
      ++missing_;
      return;
    }
    if (std::ranges::all_of(block.cases, [&](const std::string& name) { return lines.contains(name); }))
      keep({flow});
    else
      ++missing_;
  }

  /// Runs a case. Returns its line; reports why there is none. @throws InputError if the rung is not to blame
  std::optional<std::string> stability_of(const Flow& flow, const SeriesBlock& block, const std::string& case_name) {
    const Executable& rung = catalogue_.rung(block.rung);
    const std::string what = "stability result for " + case_name;
    print_err("{}\n", what);
    const TemporaryFolder folder;
    const fs::path series = folder.path() / "series.csv";
    // The cases are small: with several threads, most of the time would be spent on synchronization.
    const Launch launch = launch_of(catalogue_.probe(rung).pins_threads ? Placement{.threads = 1} : Placement{});
    const ProcessResult result = run_launched(launch, rung.path,
                                              {"series", "--precision", block.precision, "--points",
                                               std::to_string(block.points), "--out", series.string(), "--case", case_name},
                                              study_.timeout_seconds);
    made_.seconds += result.seconds;
    const std::int64_t steps = succeeded(result) ? steps_of(rung, case_name) : 0;
    const std::string changed = drop_if_changed({flow});
    if (!changed.empty()) throw InputError(changed);
    auto line = stability_line(case_name, result, read_if_there(series), steps);
    if (line) return line;
    std::string reason = outcome_of(result, study_.timeout_seconds).reason;
    if (is_fault_of_machine(rung, result)) throw InputError(reason);
    if (succeeded(result))
      reason = steps > 0 ? fmt::format("its series does not end at the last step, {}", steps)
                         : "the rung does not report the number of steps of the case";
    print_err("{}: no {}: {}\n", flow.rung, what, reason);
    return std::nullopt;
  }

  /// The number of steps of a case's run; 0 if the rung does not report it.
  [[nodiscard]] std::int64_t steps_of(const Executable& rung, const std::string& case_name) const {
    const ProcessResult result = run_process(rung.path, {"case", "--case", case_name}, study_.timeout_seconds);
    const auto facts = succeeded(result) ? parse_case(result.out) : std::nullopt;
    return facts ? facts->steps : 0;
  }

  /// Whether the rung can run here; reports broken rungs.
  bool can_run(const std::string& id) {
    const Executable& rung = catalogue_.rung(id);
    if (!rung.fault.empty()) print_err("{}: no pictures and no series: {}; build {} again\n", id, rung.fault, rung.target);
    return rung.fault.empty() && catalogue_.probe(rung).available;
  }

  /// A flow with its key. `asked`: the other values in the study's block.
  [[nodiscard]] Flow begin(const std::string& kind, const std::string& id, const std::string& case_name,
                           const std::string& precision, const std::string& asked) {
    const Executable& rung = catalogue_.built_rung(id);
    const Availability& here = catalogue_.probe(rung);
    Flow flow{.kind = kind,
              .rung = id,
              .case_name = case_name,
              .precision = precision,
              .device = here.device,
              .executable = hash_of_executable(rung.path)};
    flow.key = hash_of(fmt::format("{} {} {} {} {} {} {} {}", flow.kind, flow.rung, flow.case_name, flow.precision, asked,
                                   flow.executable, flow.device, here.driver));
    return flow;
  }

  FlowStore& store() {
    if (!store_) store_.emplace(results_ / (machine_ + ".flow.csv"));
    return *store_;
  }

  /// The stored flow if it and its file exist; otherwise null.
  const Flow* stored(const Flow& flow) {
    if (!store_ && !is_stored(results_ / (machine_ + ".flow.csv"))) return nullptr;
    const auto& all = store().rows();
    const auto known = std::find_if(all.rbegin(), all.rend(), [&](const Flow& f) {
      return f.key == flow.key && f.steps == flow.steps && is_stored(results_ / f.file);
    });
    return known == all.rend() ? nullptr : &*known;
  }

  /// Runs the rung to write the files of one case's flows, and stores the flows whose files were written, even if the rung
  /// fails later or the program is interrupted. `words`: the rung's command, with the files.
  void run_for(std::vector<Flow> flows, const std::string& what, Words words) {
    if (flows.empty()) return;
    if (!may_run_ || !may_run_()) {
      missing_ += flows.size();
      return;
    }
    for (const Flow& flow : flows)
      fs::remove(results_ / flow.file);  // left over from a run that was not listed
    const std::string& case_name = flows.front().case_name;
    print_err("{} of {}\n", what, case_name);
    words.insert(words.end(), {"--case", case_name});
    try {
      const ProcessResult result =
          run_launched(launch_of({}), catalogue_.built_rung(flows.front().rung).path, words, study_.timeout_seconds);
      made_.seconds += result.seconds;
      say_what_is_missing(flows, what, result);
    } catch (const Interrupted&) {
      keep(std::move(flows));
      throw;
    }
    keep(std::move(flows));
  }

  /// Reports why files are missing, and counts them if the rung is not to blame.
  void say_what_is_missing(const std::vector<Flow>& flows, const std::string& what, const ProcessResult& result) {
    const std::string changed = drop_if_changed(flows);
    const auto missing = std::ranges::count_if(flows, [&](const Flow& flow) { return !fs::exists(results_ / flow.file); });
    if (missing == 0 && succeeded(result)) return;
    print_err("{}: no {}: {}\n", flows.front().case_name, what,
              changed.empty() ? outcome_of(result, study_.timeout_seconds).reason : changed);
    if (!changed.empty() || is_fault_of_machine(catalogue_.rung(flows.front().rung), result))
      made_.not_run += static_cast<std::size_t>(missing);
  }

  /// Removes the files if the rung's executable has changed, because they may come from another one; returns the message.
  [[nodiscard]] std::string drop_if_changed(const std::vector<Flow>& flows) const {
    const fs::path& path = catalogue_.rung(flows.front().rung).path;
    if (hash_of_executable(path) == flows.front().executable) return "";
    for (const Flow& flow : flows)
      fs::remove(results_ / flow.file);
    return fmt::format("{} was changed or removed after this command started", path.string());
  }

  /// Whether the rung could not write a file, or lacked room on a disk.
  [[nodiscard]] static bool is_fault_of_machine(const Executable& rung, const ProcessResult& result) {
    return result.err.find("cannot be written: ") != std::string::npos || !lack_of_room(rung.backend, result.err).empty();
  }

  /// Stores the flows whose files were written.
  void keep(std::vector<Flow> flows) {
    missing_ += std::erase_if(flows, [&](const Flow& flow) { return !fs::exists(results_ / flow.file); });
    for (Flow& flow : flows) {
      if (flow.kind == "field" || flow.kind == "layers") compress_stored(results_ / flow.file);  // others are short
      flow.utc = utc_now();
    }
    store().append(flows);
  }

  /// Lists the flows of a key again if all are stored but another key of their case was listed after them.
  void put_last(const std::vector<Flow>& flows) {
    if (!may_run_) return;
    std::vector<Flow> rows;
    for (const Flow& flow : flows)
      if (const Flow* row = stored(flow)) rows.push_back(*row);
    if (rows.size() < flows.size()) return;
    const auto& all = store().rows();
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Flow& f) {
      return f.kind == rows.front().kind && f.case_name == rows.front().case_name;
    });
    if (last->key != rows.front().key) store().append(rows);
  }

  const Study& study_;
  Catalogue& catalogue_;
  const fs::path& results_;
  const std::string& machine_;
  const std::function<bool()>& may_run_;
  std::size_t missing_ = 0;
  std::optional<FlowStore> store_;
  MadeFlowFiles made_;
};

}  // namespace

MadeFlowFiles make_flow_files(const Study& study, Catalogue& catalogue, const fs::path& results, const std::string& machine,
                              const std::function<bool()>& may_run) {
  FlowFiles files(study, catalogue, results, machine, may_run);
  files.make();
  return files.made();
}

std::size_t missing_flow_files(const Study& study, Catalogue& catalogue, const fs::path& results, const std::string& machine) {
  const std::function<bool()> never;
  FlowFiles files(study, catalogue, results, machine, never);
  files.make();
  return files.missing();
}

}  // namespace ladder
