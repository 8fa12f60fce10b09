#include "program/processor_profile.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/output.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/statistics.hpp"
#include "roofline/model/bound.hpp"
#include "roofline/model/machine.hpp"

namespace ladder {
namespace {

constexpr double run_timeout_seconds = 1800;
constexpr double sample_seconds = 0.2;
constexpr int counted_rounds = 5;
constexpr int shortest_side = 8;
/// Rates within this ratio are considered equal.
constexpr double least_gain = 1.05;

/// One sample of the cell. @throws Unavailable; std::runtime_error
Row measured(const Cell& cell, const std::vector<std::string>& length) {
  const ProcessResult result =
      run_launched(cell.launch, cell.executable->path, measure_arguments(cell, length), run_timeout_seconds);
  Row row = cell.row;
  set_sampled(row, result, run_timeout_seconds, cell.row.cells, 0);
  if (row.outcome == "skipped") throw Unavailable(row.reason);
  if (row.outcome != "ok") throw std::runtime_error(fmt::format("{}: {}", row.outcome, row.reason));
  return row;
}

Row measured(const Cell& cell) { return measured(cell, {"--min-time", fmt::format("{}", sample_seconds)}); }

std::string title(const Cell& cell) {
  const Row& row = cell.row;
  return fmt::format("{} {} {}{}{}", row.rung, row.case_name, row.precision, row.tuning.empty() ? "" : " ", row.tuning);
}

void print(const Profile& row, const Cell& cell) {
  const auto per_update = [&](double sum) { return significant(row.per_update(sum)); };
  print_out("{}: {} steps\n", title(cell), row.steps);
  print_out("  {} instructions and {} cycles per update, {} instructions per cycle\n", per_update(row.instructions),
            per_update(row.cycles), significant(row.instructions_per_cycle()));
  print_out("  memory: {} B read and {} B written per update; the model says {}, the minimum is {}\n",
            per_update(row.dram_bytes_read), per_update(row.dram_bytes_written), significant(row.bytes_per_update_model),
            significant(row.bytes_per_update_minimum));
  if (row.running_share < 1)
    print_out("  the events took turns: each was counted for at least {:.0f} % of the time, and is scaled\n",
              100 * row.running_share);
  flush_output();
}

}  // namespace

const std::set<std::string>& processor_backends() {
  static const std::set<std::string> names = {"openmp", "serial"};
  return names;
}

std::string halved_case(const std::string& case_name, const std::string& grid) {
  const std::vector<std::string_view> sides = split(grid, 'x');
  std::string halved;
  bool is_changed = false;
  for (std::size_t at = 0; at < case_name.size();) {
    std::size_t end = at;
    while (end < case_name.size() && std::isdigit(static_cast<unsigned char>(case_name[end])) != 0)
      ++end;
    const std::string word = case_name.substr(at, std::max<std::size_t>(end - at, 1));
    at += word.size();
    int side = 0;
    const bool is_side = std::ranges::find(sides, word) != sides.end() && read_number(word, side);
    if (is_side && side < 2 * shortest_side) return "";
    halved += is_side ? std::to_string(side / 2) : word;
    is_changed |= is_side;
  }
  return is_changed ? halved : "";
}

ProcessorProfiler::ProcessorProfiler(const Context& context, const ProfileOptions& options, Catalogue& catalogue)
    : options_(options),
      catalogue_(catalogue),
      session_(context, catalogue, machine_name(options.machine), profile_folder(context, options.study), "profile"),
      counters_(kernel_, this_machine().identity.vendor) {
  if (counters_.can_count())
    for (const auto& [name, reason] : counters_.refused())
      print_err("not counted: {}: {}\n", name, reason);
}

Cell ProcessorProfiler::cell_of(const Executable& rung, const std::string& case_name) const {
  return profiled_cell(catalogue_, rung, session_.folder(),
                       {.case_name = case_name,
                        .precision = options_.precision,
                        .placement = "",
                        .settings = options_.settings,
                        .launcher = {}});
}

bool ProcessorProfiler::profile(const Executable& rung) {
  const Cell cell = cell_of(rung, options_.case_name);
  const Row sample = measured(cell);
  if (!counters_.can_count()) {
    compare_with_cache(rung, cell, sample);
    return false;
  }
  const std::int64_t steps = options_.steps > 0 ? options_.steps : sample.steps;
  const ProcessorCounts counts = counters_.count_steps(steps, counted_rounds, [&](std::int64_t run_steps) {
    return measured(cell, {"--steps", std::to_string(run_steps)}).seconds;
  });
  if (std::isnan(counts.instructions) && std::isnan(counts.cycles))
    throw std::runtime_error("the kernel counted neither instructions nor cycles; another profiler may use the counters");
  // A rung with phases repeats its steps, timing each phase.
  const std::int64_t repeats = sample.phases.empty() ? 1 : 2;
  Profile row = profile_of(cell, repeats * steps, sample.footprint_bytes);
  row.profiler = processor_profiler;
  row.seconds = static_cast<double>(repeats) * counts.seconds;
  row.instructions = counts.instructions;
  row.cycles = counts.cycles;
  row.cache_misses = counts.cache_misses;
  row.dram_bytes_read =
      std::isnan(counts.dram_bytes_read) ? counts.cache_misses * ProcessorCounters::line_bytes : counts.dram_bytes_read;
  row.dram_bytes_written = counts.dram_bytes_written;
  row.running_share = counts.running_share;
  store(rung, cell, row);
  print(row, cell);
  return true;
}

void ProcessorProfiler::store(const Executable& rung, const Cell& cell, Profile row) {
  session_.add(rung, cell, [&](Provenance& out) {
    store_.emplace(file());
    if (options_.study == profile_study) describe_profile_study(session_.folder());
    utsname system{};
    uname(&system);
    out.profiler = ProfilerFacts{processor_profiler, system.release, counters_.names()};
  });
  row.session = session_.id();
  store_->append(std::vector{row});
}

void ProcessorProfiler::compare_with_cache(const Executable& rung, const Cell& cell, const Row& sample) const {
  const auto reason = counters_.refused().at("instructions");
  print_out("{}: its counters cannot be read: {}\n", title(cell), reason);
  const std::vector<Cache> caches = this_machine().caches;
  const auto level_of = [&](const Cell& one) {
    const double bytes = sample.footprint_bytes * static_cast<double>(one.row.cells) / static_cast<double>(sample.cells);
    return residency(bytes, caches, std::max(1, one.row.threads));
  };
  const auto is_cached = [&](const Cell& one) { return level_of(one) != main_memory && level_of(one) <= 2; };
  const auto print_rate = [&](const Cell& one, double rate) {
    print_out("  {} MLUPS on {}, from {}\n", significant(rate / 1e6), one.row.case_name, residency_name(level_of(one)));
  };
  if (is_cached(cell)) {
    print_rate(cell, sample.updates_per_second);
    return print_out("  so memory does not limit it; a larger case shows by how much memory does\n");
  }
  std::optional<Cell> small;
  for (std::string name = options_.case_name, grid = cell.row.grid; !small;) {
    name = halved_case(name, grid);
    if (name.empty()) break;
    try {
      Cell smaller = cell_of(rung, name);
      grid = smaller.row.grid;
      if (!is_cached(smaller)) continue;
      measured(smaller);  // some rungs refuse small grids
      small = std::move(smaller);
    } catch (const std::runtime_error&) {
      break;
    }
  }
  if (!small) {
    print_rate(cell, sample.updates_per_second);
    return print_out("  no smaller case of this kind fits in L2, so there is no rate to compare with\n");
  }
  std::vector<double> asked, cached;
  for (int round = 0; round < counted_rounds; ++round) {
    asked.push_back(measured(cell).updates_per_second);
    cached.push_back(measured(*small).updates_per_second);
  }
  const double gain = median(cached) / median(asked);
  print_rate(cell, median(asked));
  print_rate(*small, median(cached));
  std::string answer = "memory hardly limits it";
  if (gain < 1 / least_gain) answer = "short steps limit the small lattice, so this does not show what limits the large one";
  if (gain > least_gain) answer = fmt::format("waiting for memory takes at least {:.0f} % of its time", 100 * (1 - 1 / gain));
  print_out("  {}× as fast in the cache: {}\n", significant(gain), answer);
  flush_output();
}

}  // namespace ladder
