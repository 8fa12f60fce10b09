#include "harness/run/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/tuning.hpp"
#include "harness/run/contender.hpp"
#include "harness/run/needed_ceilings.hpp"
#include "harness/study/formats.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

/// Adds the study's file and block to errors that occur in the block.
template <class F>
auto in_block(const Study& study, int line, F f) {
  try {
    return f();
  } catch (const InputError& e) {
    if (line == 0) throw;  // not from a file
    throw InputError(fmt::format("{}:{}: {}", study.file.string(), line, e.what()));
  }
}

/// Part of every key; raise it when the harness changes how it measures or checks.
constexpr int protocol = 1;

/// For the reference of a contender, which the executable computes once.
constexpr double reference_timeout_seconds = 3600;

/// Maximum number of cells in a study; measuring more would take longer than a lifetime.
constexpr std::size_t most_cells = 100'000;

void require_few_cells(std::size_t count) {
  if (count > most_cells) throw InputError(fmt::format("more than {0} cells; accepted: a study of at most {0}", most_cells));
}

class Expansion {
 public:
  Expansion(const Study& study, Catalogue& catalogue, bool is_draft)
      : study_(study), catalogue_(catalogue), is_draft_(is_draft) {}

  void add(const MatrixBlock& block) {
    in_block(study_, block.line, [&] {
      const auto settings = combinations(block.set);
      std::vector<const Executable*> rungs;
      for (const auto& glob : block.rungs)
        for (const auto& build : is_left_out(glob) ? std::vector<std::string>() : block.builds)
          std::ranges::copy(built(glob, build), std::back_inserter(rungs));
      for (const Executable* rung : rungs)
        for (const auto& case_name : is_measured(rung->id) ? block.cases : std::vector<std::string>())
          for (const auto& precision : block.precisions) {
            if (!takes_part(*rung, precision, rungs)) continue;
            const std::string number = number_for(rung->description, precision);
            for (const auto& setting : settings)
              for (const auto& placement : placements_for(block.placements, *rung, catalogue_.probe(*rung)))
                add(block, *rung, case_name, number, setting, placement);
          }
    });
  }

  void add(const CeilingsBlock& block) {
    in_block(study_, block.line, [&] {
      if (is_left_out("ceilings/" + block.backend + "/")) return;
      const Executable& executable = catalogue_.ceilings_of(block.backend);
      if (catalogue_.is_passed_over(executable)) return;
      if (!is_draft_) require_built(executable);
      for (const auto& name : block.names)
        for (const auto& precision : block.precisions)
          for (const std::int64_t bytes : block.bytes)
            for (const auto& store : executable.is_built ? stores(block, executable, name) : std::vector<std::string>{"plain"})
              for (const auto& placement : placements_for(block.placements, executable, catalogue_.probe(executable)))
                if (const Number& number = precision.empty() ? default_number : find_number(precision);
                    !executable.is_built || takes(block, executable, name, number))
                  add(block, executable, name, number, bytes, store, placement);
    });
  }

  void add(const ContenderBlock& block) {
    in_block(study_, block.line, [&] {
      const auto folder =
          study_.file.empty() ? std::filesystem::current_path() : std::filesystem::absolute(study_.file).parent_path();
      const Executable& format = catalogue_.format(block.format);
      if (is_draft_ && !(format.is_built && has_built_rung(block.model))) return;
      require_built(format);
      if (!block.follows.empty()) (void)catalogue_.rung(block.follows);
      rungs_.insert(block.id());
      if (block.is_optional && program_of(block, folder).empty()) {
        print_err("ladder: contender '{}' is left out: there is no program '{}'\n", block.name, block.command.front());
        return;
      }
      const Contender contender = find_contender(block, folder);
      const Executable& peer = catalogue_.rung_of_model(block.model);
      const Executable& executable = catalogue_.add_foreign(executable_of(block, contender, format.path, peer.description));
      MatrixBlock cells;
      cells.check_start = "own";
      cells.steps = block.steps;
      cells.rounds = block.rounds;
      Cell cell;
      cell.files = contender.files;
      cell.row.validation = block.is_checked() ? "files" : "none";
      cell.row.device = block.device;
      // Each run of the program has its own limit: up to three for startup, one for the check, and one for a sample. The
      // expected results of the last two are computed as well.
      cell.timeout_seconds = 5 * study_.timeout_seconds + 2 * reference_timeout_seconds;
      for (const auto& case_name : block.cases) {
        const auto& [nx, ny, nz] = case_facts(peer, case_name).sides;
        if (const int least = contender_format(block.format).least_side; nx > 0 && std::min(nx, ny) < least)
          throw InputError(
              fmt::format("contender '{0}': case '{1}' has {2}x{3} cells; accepted with format {4}: at least {5}x{5}",
                          block.name, case_name, nx, ny, block.format, least));
        for (const Placement& placement : contender_placements(block.placements)) {
          Contender placed = contender;
          placed.program.launcher = launcher_of(placement);
          add(cells, executable, case_name, block.precision, {}, placement, cell, contender.content,
              arguments_of(placed, case_facts(peer, case_name), study_.timeout_seconds, study_.memory_limit_bytes));
        }
      }
    });
  }

  /// A picture or a series adds no cell, but its rung and cases must be known before anything is measured.
  void require(const FieldBlock& block) {
    rungs_.insert(block.rung);
    in_block(study_, block.line, [&] { require(block.rung, block.case_name); });
  }
  void require(const SeriesBlock& block) {
    rungs_.insert(block.rung);
    in_block(study_, block.line, [&] {
      number_for(catalogue_.rung(block.rung).description, block.precision);
      for (const auto& case_name : block.cases)
        require(block.rung, case_name);
    });
  }

  /// @throws InputError if a glob in Study::only_rungs matches no rung of the study
  void require_rungs() const {
    for (const std::string& glob : study_.only_rungs)
      if (std::ranges::none_of(rungs_, [&](const std::string& id) { return matches_any({glob}, id); }))
        throw InputError(fmt::format("no rung of this study that can be built here matches '{}'{}", glob,
                                     suggestion(glob, {rungs_.begin(), rungs_.end()})));
  }

  /// The cells; for a part of a study, with the ceilings that this part needs. Each cell with a rung's default build and tuning
  /// is compared with the first such cell of the rung that it follows; blocks may request other steps or checks of the same
  /// rung. A contender is compared with a cell of the same placement or, if there is none, of the default placement.
  std::vector<Cell> take() {
    if (study_.is_part)
      keep_needed_ceilings(cells_, [&](const Executable& executable) { return is_gpu(catalogue_.probe(executable)); });
    if (study_.against_first)
      for (std::size_t i = 1; i < cells_.size(); ++i)
        cells_[i].over = cells_.front().row.key;
    if (study_.against_first) return std::move(cells_);
    std::map<std::string, std::string> keys;
    for (const Cell& cell : cells_)
      if (cell.initial) keys.emplace(place(cell, cell.row.rung), cell.row.key);
    for (Cell& cell : cells_) {
      if (!cell.initial) continue;
      const std::string& follows = cell.executable->description.follows;
      auto parent = keys.find(place(cell, follows));
      if (parent == keys.end() && cell.row.is_foreign()) {
        Cell unplaced = cell;
        unplaced.row.placement.clear();
        parent = keys.find(place(unplaced, follows));
      }
      if (parent != keys.end()) cell.over = parent->second;
    }
    return std::move(cells_);
  }

 private:
  using Settings = std::vector<std::string>;

  /// The launcher for several processes; empty if the placement cannot run here, for which finish() gives the reason.
  [[nodiscard]] Settings launcher_of(const Placement& placement) const try {
    return launch_of(placement, study_.launcher).prefix;
  } catch (const Unavailable&) {
    return {};
  }

  void require(const std::string& id, const std::string& case_name) {
    const Executable& rung = catalogue_.rung(id);
    if (!is_draft_ && !catalogue_.is_not_needed(rung)) require_built(rung);
    case_facts(rung, case_name);
  }

  [[nodiscard]] bool has_built_rung(const std::string& model) const {
    return std::ranges::any_of(catalogue_.rungs(),
                               [&](const Executable& rung) { return rung.is_described() && model_of(rung) == model; });
  }

  /// Whether a rung of the study's matrix is measured.
  [[nodiscard]] bool is_measured(const std::string& id) {
    rungs_.insert(id);
    return matches_any(study_.only_rungs, id);
  }

  /// Whether the device is a GPU, for which host cores do not matter.
  static bool is_gpu(const Availability& here) { return here.cache_bytes > 0 && !here.pins_threads; }

  /// Whether a rung has cells in a precision. A rung that does not store it is left out if another rung of the block stores it,
  /// or may do so: when only part of a study runs, rungs that are not measured need not be built.
  [[nodiscard]] bool takes_part(const Executable& rung, const std::string& precision,
                                const std::vector<const Executable*>& block) const {
    if (precision.empty()) return true;
    const std::string name(find_number(precision).name);
    const auto stores_it = [&](const Executable& one) {
      const std::vector<std::string>& stored = one.description.numbers;
      return stored.empty() || std::ranges::find(stored, name) != stored.end();
    };
    if (stores_it(rung)) return true;
    return study_.only_rungs.empty() && std::ranges::none_of(block, [&](const Executable* one) { return stores_it(*one); });
  }

  /// A study may name rungs and ceilings of backends that the build lacks; it runs without them.
  [[nodiscard]] bool is_left_out(const std::string& glob) const {
    const std::string reason = catalogue_.why_left_out(backend_of(glob));
    if (!reason.empty()) print_err("{}: left out, because this build does not have the backend: {}\n", glob, reason);
    return !reason.empty();
  }

  /// A named build must exist; a glob may match none, e.g. on a machine without Clang.
  [[nodiscard]] std::vector<const Executable*> built(const std::string& glob, const std::string& build) {
    static const std::vector<std::string> none = {"/"};  // matches no id
    auto found = catalogue_.match_planned(glob, build, is_draft_ ? none : study_.only_rungs);
    if (!found.empty() || !catalogue_.match(glob, build).empty() || build.find_first_of("*?[") != std::string::npos)
      return found;
    std::vector<std::string> builds;
    for (const Executable* rung : catalogue_.match(glob, "*"))
      if (std::find(builds.begin(), builds.end(), rung->build) == builds.end()) builds.push_back(rung->build);
    throw InputError(
        fmt::format("no build '{}' of '{}'{}; there are: {}", build, glob, suggestion(build, builds), fmt::join(builds, ", ")));
  }

  static std::string place(const Cell& cell, const std::string& rung) {
    return fmt::format("{} {} {} {}", rung, cell.row.case_name, cell.row.precision, cell.row.placement);
  }

  static std::vector<Settings> combinations(const std::map<std::string, std::vector<std::int64_t>>& set) {
    std::vector<Settings> all = {{}};
    for (const auto& [name, values] : set) {
      require_few_cells(all.size() * values.size());
      std::vector<Settings> longer;
      for (const auto& settings : all)
        for (const auto value : values) {
          longer.push_back(settings);
          longer.back().push_back(fmt::format("{}={}", name, value));
        }
      all = std::move(longer);
    }
    return all;
  }

  /// The tuning with defaults filled in, as settings, checked against the rung's declaration.
  static Settings complete(const Executable& rung, const Settings& given) {
    Settings all;
    for (const auto& [name, value] : parse_tuning(rung.description.tunables, given))
      all.push_back(fmt::format("{}={}", name, value));
    return all;
  }

  /// The model's facts about a case.
  struct KnownCase : CaseFacts {
    std::string unavailable;  ///< why the case exceeds this machine's memory; if set, nothing else is known
    std::string code;         ///< the same reason in machine-readable form
  };

  /// Asks the rung or, if that gives no answer, other rungs of its model, so that one broken rung does not affect the others.
  /// Asks once per case. If no rung answers, nothing is known, and each rung's check will find out.
  /// @throws InputError if two rungs refuse the case, or the only rung does
  const KnownCase& case_facts(const Executable& rung, const std::string& case_name) {
    require_case_name(case_name);
    const std::string model = model_of(rung);
    const auto [entry, is_new] = facts_.try_emplace(model + " " + case_name);
    KnownCase& facts = entry->second;
    if (!is_new) return facts;
    std::vector<const Executable*> rungs;
    if (rung.is_built) rungs.push_back(&rung);
    for (const Executable& other : catalogue_.rungs())
      if (other.is_built && model_of(other) == model && other.path != rung.path) rungs.push_back(&other);
    std::vector<std::string> refusals;
    for (const Executable* asked : rungs) {
      if (silent_.contains(asked->path)) continue;
      constexpr double timeout = 60;
      const ProcessResult result = run_process(asked->path, {"case", "--case", case_name}, timeout);
      const Outcome outcome = outcome_of(result, timeout);
      const bool has_exited = result.end == ProcessResult::End::exited;
      if (has_exited && result.code == exit_unavailable) {
        facts.unavailable = outcome.reason;
        facts.code = outcome.code;
        return facts;
      }
      if (const auto answer = outcome.name == "ok" ? parse_case(result.out) : std::nullopt) {
        static_cast<CaseFacts&>(facts) = *answer;
        return facts;
      }
      if (has_exited && result.code == exit_bad_input)
        refusals.push_back(fmt::format("{}: {}", asked->id, outcome.reason));
      else
        silent_.insert(asked->path);
      if (refusals.size() == 2) break;
    }
    if (!refusals.empty()) throw InputError(refusals.front());
    return facts;
  }

  /// Traffic and operations of an update, from a rung's description.
  static void add_traffic(Row& row, const Description& d) {
    const TrafficFacts& traffic = d.bytes_per_update.at(row.precision);
    row.bytes_per_update_model = traffic.read + traffic.write;
    row.bytes_per_update_levels = fmt::format("{}={}+{}", d.level.empty() ? "dram" : d.level, traffic.read, traffic.write);
    row.bytes_per_update_minimum = d.bytes_per_update_minimum.at(row.precision);
    row.flops_per_update = d.flops_per_update();
  }

  /// `cell`: what is known of it already; `content`: of a contender, part of the key; `more`: arguments that are not.
  void add(const MatrixBlock& block, const Executable& rung, const std::string& case_name, const std::string& precision,
           const Settings& given, const Placement& placement, Cell cell = {}, const std::string& content = "",
           const Settings& more = {}) {
    cell.placement = placement;
    cell.executable = &rung;
    cell.steps = block.steps;
    cell.rounds = block.rounds > 0 ? block.rounds : study_.rounds;
    cell.row.kind = "sample";
    cell.row.rung = rung.id;
    cell.row.case_name = case_name;
    cell.row.precision = precision;
    // Without a description, the row holds only what the study says; finish() reports why the backend cannot run here.
    const bool is_described = rung.is_described();
    const Settings settings = is_described ? complete(rung, given) : given;
    cell.arguments = {"--case", case_name, "--precision", precision};
    for (const auto& setting : settings)
      cell.arguments.insert(cell.arguments.end(), {"--set", setting});
    cell.row.tuning = tuning_text(settings);
    if (!rung.fault.empty() && catalogue_.probe(rung).available) {
      cell.unavailable = fmt::format("{}; build {} again", rung.fault, rung.target);
      cell.is_broken = true;
      finish(std::move(cell), "");
      return;
    }
    const KnownCase& facts = case_facts(rung, case_name);
    cell.unavailable = facts.unavailable;
    cell.initial = is_described && rung.build == "default" && settings == complete(rung, {});
    cell.check_arguments = {"--start", block.check_start};
    for (const auto steps : block.check_steps)
      cell.check_arguments.insert(cell.check_arguments.end(), {"--steps", std::to_string(steps)});
    cell.row.grid = facts.grid;
    cell.row.cells = facts.cells;
    cell.row.fluid_cells = facts.fluid_cells;
    std::tie(cell.row.nx, cell.row.ny, cell.row.nz) = std::tie(facts.sides[0], facts.sides[1], facts.sides[2]);
    cell.row.q = facts.q;
    cell.row.reach = facts.reach;
    cell.row.reason_code = facts.code;
    if (is_described) add_traffic(cell.row, rung.description);
    std::string how = fmt::format("{} {} {}", fmt::join(cell.check_arguments, " "), block.steps, facts.content);
    if (!content.empty()) how += " " + content;
    finish(std::move(cell), how, more);
  }

  static std::vector<std::string> stores(const CeilingsBlock& block, const Executable& executable, const std::string& name) {
    std::vector<std::string> names;
    for (const CeilingDescription& ceiling : executable.description.ceilings) {
      if (ceiling.name == name) {
        const std::vector<std::string>& accepted = ceiling.stores;
        for (const auto& store : block.stores)
          if (std::find(accepted.begin(), accepted.end(), store) == accepted.end())
            throw InputError(fmt::format("ceiling '{}': no store '{}'{}; accepted: {}", name, store,
                                         suggestion(store, accepted), fmt::join(accepted, ", ")));
        return block.stores.empty() ? accepted : block.stores;
      }
      names.push_back(ceiling.name);
    }
    throw InputError(fmt::format("no ceiling '{}' for {}{}; accepted: {}", name, block.backend, suggestion(name, names),
                                 fmt::join(names, ", ")));
  }

  /// Whether the ceiling `name` supports this number format. Ceilings that compute do not support formats that are only stored:
  /// they are left out if another ceiling of the block supports the format. @throws InputError if none does
  static bool takes(const CeilingsBlock& block, const Executable& executable, const std::string& name, const Number& number) {
    bool any = false;
    std::vector<std::string> accepted = number_names();
    for (const CeilingDescription& ceiling : executable.description.ceilings) {
      const std::string& own = ceiling.name;
      const auto numbers = ceiling.precisions.empty() ? number_names() : ceiling.precisions;
      const bool has_it = std::ranges::find(numbers, number.name) != numbers.end();
      if (own == name) accepted = numbers;
      if (own == name && has_it) return true;
      any = any || (has_it && std::ranges::find(block.names, own) != block.names.end());
    }
    if (any) return false;
    throw InputError(fmt::format("ceiling '{}' for {}: precision '{}'; accepted: {}", name, block.backend, number.name,
                                 fmt::join(accepted, ", ")));
  }

  void add(const CeilingsBlock& block, const Executable& executable, const std::string& name, const Number& number,
           std::int64_t bytes, const std::string& store, const Placement& placement) {
    Cell cell;
    cell.placement = placement;
    cell.executable = &executable;
    cell.rounds = block.rounds > 0 ? block.rounds : study_.rounds;
    const std::string precision(number.name);
    cell.arguments = {"--name", name, "--bytes", std::to_string(bytes), "--precision", precision, "--set", "store=" + store};
    cell.row.kind = "ceiling";
    cell.row.rung = executable.id + "/" + name;
    cell.row.case_name = fmt::format("ws-{}", bytes);
    cell.row.precision = precision;
    cell.row.tuning = "store=" + store;
    finish(std::move(cell), "");
  }

  /// Number of working threads in a process of the cell, as far as it is known in advance.
  int threads_of(const Cell& cell, const Availability& here) {
    if (!here.pins_threads || !cell.unavailable.empty())
      return cell.placement.threads > 0 ? cell.placement.threads : here.threads;
    const int asked = cell.launch.threads();
    if (!cell.launch.prefix.empty()) return asked;
    const int counted = catalogue_.probe(*cell.executable, cell.launch).threads;
    return asked > 0 && counted > 0 ? std::min(asked, counted) : std::max(asked, counted);
  }

  /// `how`: part of the key; `more`: arguments that are not.
  void finish(Cell cell, const std::string& how, const Settings& more = {}) {
    heed_interrupts();
    require_few_cells(++asked_);
    const Availability& here = catalogue_.probe(*cell.executable);
    try {
      cell.launch = launch_of(cell.placement, study_.launcher);
    } catch (const Unavailable& e) {
      cell.unavailable = e.what();
      cell.row.reason_code = to_string(e.reason());
    }
    if (!here.available && !cell.is_broken) {
      cell.unavailable = here.reason;
      cell.is_broken = here.is_broken;
      cell.row.reason_code = here.is_broken ? "" : to_string(Reason::no_device);
    }
    cell.row.build = cell.executable->build;
    cell.row.backend = cell.executable->backend;
    cell.row.threads = threads_of(cell, here);
    cell.row.placement = to_string(cell.placement);
    if (cell.row.device.empty()) cell.row.device = device_of(here, cell.placement);
    if (cell.timeout_seconds == 0) {
      cell.timeout_seconds = study_.timeout_seconds;
      cell.memory_limit_bytes = study_.memory_limit_bytes;
    }
    const std::filesystem::path& measured = cell.executable->measured;
    auto [known, is_new] = hashes_.try_emplace(measured);
    auto& [state, hash] = known->second;
    if (is_new && cell.executable->is_built) {
      state = state_of(measured);
      hash = hash_of_executable(measured);
    }
    cell.executable_hash = hash;
    cell.files.push_back(state);
    const std::string launch = is_gpu(here) ? fmt::format("{}", fmt::join(cell.launch.prefix, " ")) : cell.launch.text();
    std::string text = fmt::format("{} {} {} {} {} {} {} {} {}", protocol, hash, fmt::join(cell.arguments, " "), how,
                                   cell.row.threads, cell.row.device, here.driver, launch, study_.sample_seconds);
    if (!cell.row.placement.empty()) text += " " + cell.row.placement;
    cell.row.key = fmt::format("{:016x}", fnv1a(text));
    cell.arguments.insert(cell.arguments.end(), more.begin(), more.end());
    if (seen_.insert(cell.row.key + cell.row.rung + cell.row.build).second) cells_.push_back(std::move(cell));
  }

  const Study& study_;
  Catalogue& catalogue_;
  bool is_draft_;
  std::vector<Cell> cells_;
  std::set<std::string> seen_;
  std::size_t asked_ = 0;  // number of cells, including repeated requests
  std::map<std::string, KnownCase> facts_;
  std::set<std::string> rungs_;             // ids of the study's rungs, measured or not
  std::set<std::filesystem::path> silent_;  // executables that did not answer `case`
  std::map<std::filesystem::path, std::pair<FileState, std::string>> hashes_;
};

}  // namespace

std::string device_of(const Availability& here, const Placement& placement) {
  const int processes = (placement.processes + placement.nodes - 1) / placement.nodes;
  const int users = processes * placement.devices;
  if (here.device_count == 0 || users <= here.device_count) return here.device;
  return shared_device(here.device, (users + here.device_count - 1) / here.device_count,
                       placement.devices > 1 ? "parts" : "processes");
}

std::string Cell::name() const {
  std::string text = row.rung;
  if (row.build != "default") text += " [" + row.build + "]";
  text += " " + row.case_name + " " + row.precision;
  if (!row.tuning.empty()) text += " " + row.tuning;
  if (!row.placement.empty()) text += " " + row.placement;
  return text;
}

std::vector<Placement> placements_for(const std::vector<std::string>& texts, const Executable& executable,
                                      const Availability& here) {
  const auto refuse = [&](const Placement& placement, const char* what, const char* accepted) {
    throw InputError(fmt::format("{}: {}: backend {} does not {}; accepted is {}", executable.id, to_string(placement),
                                 executable.backend, what, accepted));
  };
  const int cores = static_cast<int>(usable_cores().size());
  const int own_threads = here.pins_threads ? std::clamp(here.threads, 1, cores) : std::max(1, here.threads);
  std::vector<Placement> placements;
  for (const std::string& text : texts)
    for (Placement placement : parse_placements(text, own_threads)) {
      const int per_node = (placement.processes + placement.nodes - 1) / placement.nodes;
      // If OMP_NUM_THREADS requests fewer threads than the default, this is a separate placement.
      if (here.pins_threads && own_threads < cores / per_node) {
        if (placement.threads == 0) placement.threads = own_threads;
      } else if (placement.processes == 1 && placement.threads == own_threads) {
        placement.threads = 0;
      }
      if (here.available && placement.threads > 1 && !here.pins_threads)
        refuse(placement, "take a number of threads", "threads=1");
      if (here.available && placement.processes > 1 && !here.processes)
        refuse(placement, "run in several processes", "processes=1");
      if (here.available && placement.devices > 1 && !here.devices) refuse(placement, "use several devices", "devices=1");
      if (std::find(placements.begin(), placements.end(), placement) == placements.end()) placements.push_back(placement);
    }
  return placements;
}

std::vector<Placement> contender_placements(const std::vector<std::string>& texts) {
  const int cores = static_cast<int>(usable_cores().size());
  std::vector<Placement> placements;
  for (const std::string& text : texts)
    for (Placement placement : parse_placements(text, cores)) {
      if (placement.processes == 1 && placement.threads == cores) placement.threads = 0;
      if (std::ranges::find(placements, placement) == placements.end()) placements.push_back(placement);
    }
  return placements;
}

std::string tuning_text(const std::vector<std::string>& settings) { return fmt::format("{}", fmt::join(settings, ";")); }

std::vector<Cell> expand(const Study& study, Catalogue& catalogue, bool is_draft) {
  Expansion expansion(study, catalogue, is_draft);
  for (const auto& block : study.matrix)
    expansion.add(block);
  for (const auto& block : study.contenders)
    expansion.add(block);
  for (const auto& block : study.ceilings)
    expansion.add(block);
  for (const auto& block : study.fields)
    expansion.require(block);
  for (const auto& block : study.series)
    expansion.require(block);
  expansion.require_rungs();
  return expansion.take();
}

}  // namespace ladder
