#include "program/profiling.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/provenance.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/run.hpp"

namespace ladder {

namespace fs = std::filesystem;

std::map<std::string, std::vector<std::int64_t>> parse_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::vector<std::int64_t>> set;
  for (const std::string& setting : settings) {
    const auto given = key_value(setting);
    std::int64_t value = 0;
    if (!given || !read_number(given->value, value))
      throw InputError(fmt::format("--set '{}'; accepted: name=value with a whole number", setting));
    set[std::string(given->key)] = {value};
  }
  return set;
}

fs::path profile_folder(const Context& context, const std::string& study) {
  if (study == profile_study) return fs::absolute(context.experiments / study);
  return fs::absolute(find_study(context.experiments, study)).parent_path();
}

void describe_profile_study(const fs::path& folder) {
  if (fs::exists(folder / "study.toml")) return;
  write_files(folder, {{"study.toml",
                        "# Created by `ladder profile`.\ntitle = \"Hardware counters\"\n\n[[report]]\nkind = \"profile\"\n\n"
                        "[[report]]\nkind = \"timeline\"\n"}});
}

std::string why_no_profiler(Catalogue& catalogue, const Executable& rung) {
  const Availability& here = catalogue.probe(rung);
  if (here.profiler || here.no_profiler.empty()) return "";
  return fmt::format("{} cannot be profiled, since its backend is {}: {}", rung.id, rung.backend, here.no_profiler);
}

std::string backends_with_profiler(Catalogue& catalogue, std::set<std::string> more) {
  std::set<std::string> names = std::move(more);
  for (const Executable& rung : catalogue.rungs())
    if (catalogue.probe(rung).profiler) names.insert(rung.backend);
  return names.empty() ? "" : fmt::format("; accepted are rungs of backend {}", fmt::join(names, ", "));
}

Cell profiled_cell(Catalogue& catalogue, const Executable& rung, const fs::path& folder, const ProfiledCell& what) {
  Study study;
  study.file = folder / "study.toml";
  study.name = folder.filename().string();
  study.launcher = what.launcher;
  study.matrix = {{.rungs = {rung.id},
                   .cases = {what.case_name},
                   .precisions = {what.precision},
                   .set = parse_settings(what.settings),
                   .placements = {what.placement}}};
  Cell cell = expand(study, catalogue).front();
  if (!cell.unavailable.empty()) throw Unavailable(cell.unavailable);
  return cell;
}

std::vector<std::string> profile_arguments(const Cell& cell, std::int64_t steps) {
  std::vector<std::string> arguments = {"profile"};
  arguments.insert(arguments.end(), cell.arguments.begin(), cell.arguments.end());
  arguments.insert(arguments.end(), {"--steps", std::to_string(steps)});
  return arguments;
}

std::vector<std::string> measure_arguments(const Cell& cell, const std::vector<std::string>& length) {
  std::vector<std::string> arguments = {"measure", "--samples", "1"};
  arguments.insert(arguments.end(), length.begin(), length.end());
  arguments.insert(arguments.end(), cell.arguments.begin(), cell.arguments.end());
  return arguments;
}

Profile profile_of(const Cell& cell, std::int64_t steps, double footprint_bytes) {
  Profile row;
  describe_cell(row, cell);
  row.kind = "step";
  row.cells = cell.row.cells;
  row.steps = steps;
  row.bytes_per_update_model = cell.row.bytes_per_update_model;
  row.bytes_per_update_levels = cell.row.bytes_per_update_levels;
  row.bytes_per_update_minimum = cell.row.bytes_per_update_minimum;
  row.flops_per_update = cell.row.flops_per_update;
  row.footprint_bytes = footprint_bytes;
  return row;
}

ProfileFacts profile_answer(const ProcessResult& result, double timeout_seconds) {
  const Outcome outcome = outcome_of(result, timeout_seconds);
  if (outcome.name == "skipped") throw Unavailable(outcome.reason);
  if (outcome.name != "ok") throw std::runtime_error(fmt::format("{}: {}", outcome.name, outcome.reason));
  const auto answer = parse_profile(result.out);
  if (!answer) throw std::runtime_error("failed: its answer to 'profile' is invalid");
  return *answer;
}

fs::path recording_library(const Context& context) {
  const fs::path library = fs::absolute(context.bin) / "lib/libladder_timeline.so";
  if (std::error_code none; !fs::exists(library, none))
    throw Unavailable(fmt::format("timeline needs {}, which is built if CMake finds CUPTI (cupti.h and libcupti of CUDA 13)",
                                  library.string()));
  // The driver would not say why it cannot load the library.
  void* loaded = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (loaded == nullptr) throw Unavailable(fmt::format("timeline needs CUPTI: {}", dlerror()));
  dlclose(loaded);
  return library;
}

void record_with(const fs::path& library, const fs::path& files, Launch& launch) {
  launch.environment.emplace_back("CUDA_INJECTION64_PATH", library.string());
  launch.environment.emplace_back("LADDER_TIMELINE", files.string());
}

ProfileSession::ProfileSession(const Context& context, Catalogue& catalogue, std::string machine, fs::path folder,
                               std::string kind)
    : context_(context),
      catalogue_(catalogue),
      machine_(std::move(machine)),
      folder_(std::move(folder)),
      kind_(std::move(kind)) {}

void ProfileSession::add(const Executable& rung, const Cell& cell, const std::function<void(Provenance&)>& complete) {
  require_unchanged(cell);
  if (session_.id().empty()) {
    const Availability& here = catalogue_.probe(rung);
    MachineFacts facts = machine_facts(machine_);
    add_gpu(facts, here);
    Provenance out;
    out.utc = utc_now();
    out.command = context_.command;
    out.study = folder_.filename().string();
    out.machine = std::move(facts);
    out.source = source_facts(context_.root);
    out.devices[rung.backend] = here.device;
    out.drivers[rung.backend] = here.driver;
    require_same_machine(file().parent_path(), Measured(out));
    complete(out);
    session_ = Session::start(file().parent_path(), machine_ + "." + kind_, std::move(out));
  }
  Descriptions& rungs = session_.provenance().rungs;
  std::erase_if(rungs, [&](const auto& d) { return d.first == rung.id; });
  rungs.emplace_back(rung.id, description_of(rung, cell.executable_hash, context_.root));
  session_.save();
}

}  // namespace ladder
