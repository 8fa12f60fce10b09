#include <fmt/format.h>

#include <algorithm>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

constexpr double contradiction = 1.1;  ///< counters contradict the model above this ratio

/// One rung on one case, with its counters and samples as far as they exist.
struct ProfileLine {
  std::string rung;
  const Profile* profile = nullptr;
  const Cell* cell = nullptr;

  [[nodiscard]] double model() const {
    return profile != nullptr ? dram_bytes(profile->bytes_per_update_levels, profile->bytes_per_update_model)
                              : cell->row->dram_bytes_per_update();
  }
  [[nodiscard]] double minimum() const {
    return profile != nullptr ? profile->bytes_per_update_minimum : cell->row->bytes_per_update_minimum;
  }
  /// DRAM bytes per update according to the counters.
  [[nodiscard]] double measured() const { return profile != nullptr ? profile->dram_bytes_per_update() : unknown; }
  [[nodiscard]] std::string tuning() const { return profile != nullptr ? profile->tuning : cell->row->tuning; }
};

/// Cases of the profiles, ordered by size.
std::vector<std::string> profiled_cases(const Context& context) {
  std::vector<const Profile*> profiles = context.results.profiles();
  std::ranges::stable_sort(profiles, {}, &Profile::cells);
  std::vector<std::string> cases;
  for (const Profile* p : profiles)
    add_once(cases, p->case_name);
  return cases;
}

/// The profile of the cell with this tuning; if none was timed, the rung's latest profile with it.
ProfileLine line_of(const Context& context, const std::string& rung, const std::string& case_name, const std::string& precision,
                    const std::string& tuning) {
  ProfileLine line{.rung = rung};
  line.cell = context.results.choose({.rung = rung, .case_name = case_name, .precision = precision, .tuning = tuning});
  if (line.cell != nullptr) line.profile = context.results.profile(*line.cell);
  if (line.profile != nullptr) return line;
  for (const Profile* p : context.results.profiles()) {
    if (p->rung != rung || p->build != "default" || p->case_name != case_name || p->precision != precision) continue;
    if (tuning != "initial" && tuning != "best" && p->tuning != tuning) continue;
    line.profile = p;
  }
  if (line.profile != nullptr && line.cell != nullptr && line.cell->row->tuning != line.profile->tuning) line.cell = nullptr;
  return line;
}

/// Adds the table of the lines to the section.
void add_table(const Context& context, const std::vector<ProfileLine>& lines, const std::string& case_name,
               const std::string& precision, Section& section) {
  using Line = ProfileLine;
  const auto per_update = [](double Profile::*sum) { return [sum](const Profile& p) { return p.per_update(p.*sum); }; };
  const auto of_processor = [](double Profile::*sum) {
    return [sum](const Line& line) {
      const Profile* p = line.profile;
      return p != nullptr && p->is_of_processor() ? p->per_update(p->*sum) : unknown;
    };
  };
  const auto over_model = [](const Line& line) {
    TableCell cell = number_cell(line.measured() / line.model());
    cell.flagged = line.measured() / line.model() > contradiction;
    return cell;
  };
  const auto rate = [](const Line& line) {
    return (line.cell == nullptr ? unknown : line.cell->median) * line.measured() / 1e9;
  };
  const auto slowdown = [](double Profile::*seconds) {
    return [seconds](const Profile& p) { return p.*seconds / p.step_seconds; };
  };
  std::vector<const Profile*> profiles;
  std::vector<const Cell*> cells;
  for (const Line& line : lines) {
    if (line.profile != nullptr) profiles.push_back(line.profile);
    if (line.cell != nullptr) cells.push_back(line.cell);
  }
  std::string caption = profiles_caption(context, profiles);
  if (std::ranges::any_of(profiles, [](const Profile* p) { return p->step_seconds > 0; }))
    caption +=
        " Step: its time without a profiler. Recorded, one counter, all counters: how many times as long it takes while CUPTI "
        "records it, and while Nsight Compute reads one counter or all of them.";
  if (!cells.empty())
    caption += (caption.empty() ? "" : " ") +
               rows_caption(context, cells, fmt::format("kind=sample, case={}, precision={}", case_name, precision));
  Table table = tabulate(
      "profile-" + case_name + "-" + precision, fmt::format("Traffic per update by the counters, {}, {}", case_name, precision),
      {{"Rung", "rung", &Line::rung},
       {"Tuning", "tuning", &Line::tuning},
       {"DRAM, B", "dram_bytes_per_update", [](const Line& line) { return dram_cell(line.profile, line.model()); }},
       {"read, B", "dram_bytes_read_per_update", &Line::profile, per_update(&Profile::dram_bytes_read)},
       {"written, B", "dram_bytes_written_per_update", &Line::profile, per_update(&Profile::dram_bytes_written)},
       {"Model, B", "bytes_per_update_model", &Line::model, count_cell},
       {"Minimum, B", "bytes_per_update_minimum", &Line::minimum, count_cell},
       {"DRAM/model", "dram_over_model", over_model},
       {"DRAM, GB/s", "dram_gbytes_per_s", rate},
       {"L2, B", "l2_bytes_per_update", &Line::profile, per_update(&Profile::l2_bytes)},
       {"L1, B", "l1_bytes_per_update", &Line::profile, per_update(&Profile::l1_bytes)},
       {"Occupancy", "occupancy", &Line::profile, &Profile::occupancy, share_cell},
       {"Occupancy, at most", "occupancy_limit", &Line::profile, &Profile::occupancy_limit, share_cell},
       {"Registers", "registers_per_thread", &Line::profile, &Profile::registers_per_thread, count_cell},
       {"FMA share", "fma_share", &Line::profile, &Profile::fma_share, share_cell},
       {"Instructions", "instructions_per_update", of_processor(&Profile::instructions)},
       {"Cycles", "cycles_per_update", of_processor(&Profile::cycles)},
       {"Instructions per cycle", "instructions_per_cycle", &Line::profile, &Profile::instructions_per_cycle},
       {"Counted, of the time", "running_share", &Line::profile, scaled_share, share_cell},
       {"Step, µs", "step_us", &Line::profile, [](const Profile& p) { return 1e6 * p.step_seconds; }},
       {"Recorded, ×", "recorded", &Line::profile, slowdown(&Profile::step_seconds_recorded)},
       {"One counter, ×", "one_counter", &Line::profile, slowdown(&Profile::step_seconds_one_counter)},
       {"All counters, ×", "all_counters", &Line::profile, slowdown(&Profile::step_seconds_profiled)},
       {"Warps wait for", "stalls", &Line::profile, stalls_cell}},
      lines);
  table.is_by_rung = true;
  section.add(std::move(table), caption, rows_of(cells), profiles);
}

/// Each kernel of the profiles separately.
void add_kernels(const Context& context, const std::vector<ProfileLine>& lines, const std::string& case_name,
                 const std::string& precision, Section& section) {
  /// The profiles of a kernel and of the whole step.
  struct Kernel {
    const Profile *own, *all;
  };
  std::vector<Kernel> kernels;
  std::vector<const Profile*> shown;
  for (const ProfileLine& line : lines) {
    if (line.profile == nullptr) continue;
    const Profile& all = *line.profile;
    for (const Profile& p : context.results.data().profiles.rows) {
      if (p.kind != "kernel" || p.session != all.session || p.rung != all.rung || p.build != all.build ||
          p.case_name != all.case_name || p.precision != all.precision || p.tuning != all.tuning || p.steps != all.steps)
        continue;
      shown.push_back(&p);
      kernels.push_back({&p, &all});
    }
  }
  Table table = tabulate(
      "kernels-" + case_name + "-" + precision, fmt::format("The same by kernel, {}, {}", case_name, precision),
      {{"Rung", "rung", &Kernel::own, &Profile::rung},
       {"Kernel", "kernel", &Kernel::own, &Profile::kernel},
       {"Steps", "steps", &Kernel::own, &Profile::steps, count_cell},
       {"Launches", "launches", &Kernel::own, &Profile::launches, count_cell},
       {"Of the time", "fraction_of_time", [](const Kernel& k) { return share_cell(k.own->seconds / k.all->seconds); }},
       {"DRAM, B per update", "dram_bytes_per_update", &Kernel::own, &Profile::dram_bytes_per_update},
       {"L2, B per update", "l2_bytes_per_update", [](const Kernel& k) { return k.own->per_update(k.own->l2_bytes); }},
       {"Occupancy", "occupancy", &Kernel::own, &Profile::occupancy, share_cell},
       {"Occupancy, at most", "occupancy_limit", &Kernel::own, &Profile::occupancy_limit, share_cell},
       {"Registers", "registers_per_thread", &Kernel::own, &Profile::registers_per_thread, count_cell},
       {"Warps wait for", "stalls", &Kernel::own, stalls_cell}},
      kernels);
  table.is_folded = true;
  table.is_by_rung = true;
  section.add(std::move(table), profiles_caption(context, shown), {}, shown);
}

void say_what_to_doubt(const Context& context, const std::vector<ProfileLine>& lines, const std::string& case_name,
                       Section& section) {
  std::vector<std::string> modelled;
  std::vector<std::string> outdated;
  std::vector<std::string> contradicted;
  for (const ProfileLine& line : lines) {
    if (line.profile == nullptr) {
      modelled.push_back(line.rung);
      continue;
    }
    if (context.results.is_outdated(*line.profile)) outdated.push_back(line.rung);
    const double ratio = line.measured() / line.model();
    if (ratio > contradiction) contradicted.push_back(fmt::format("{} ({}×)", line.rung, significant(ratio)));
  }
  if (!modelled.empty())
    section.note(
        fmt::format("{}: no counters of {}; 'model' marks bytes that the rung declares.", case_name, joined(modelled, 20)));
  if (!outdated.empty())
    section.warn(
        fmt::format("{}: the profiled executable differs from the one measured last: {}.", case_name, joined(outdated, 20)));
  if (!contradicted.empty())
    section.note(fmt::format("{}: the counters contradict the model, which declares fewer bytes: {}.", case_name,
                             joined(contradicted, 20)));
}

}  // namespace

void profile(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> patterns = block.texts("rungs", {"*"});
  const std::vector<std::string> cases = block.texts("cases", profiled_cases(context));
  const std::vector<std::string> precisions = block.texts("precisions", number_names());
  const std::string tuning = block.text("tuning", "initial");
  const std::size_t before = section.parts.size();
  for (const std::string& case_name : cases) {
    for (const std::string& precision : precisions) {
      std::vector<ProfileLine> lines;
      for (const std::string& rung : context.results.known_rungs(patterns)) {
        const ProfileLine line = line_of(context, rung, case_name, precision, tuning);
        if (line.profile != nullptr || line.cell != nullptr) lines.push_back(line);
      }
      const bool has_counters = std::ranges::any_of(lines, [](const ProfileLine& line) { return line.profile != nullptr; });
      if (lines.empty() || (!has_counters && !block.has("cases"))) continue;
      if (!has_counters) {
        section.note(fmt::format("{}, {}: no counters are stored; bytes per update are the model's.", case_name, precision));
        continue;
      }
      add_table(context, lines, case_name, precision, section);
      add_kernels(context, lines, case_name, precision, section);
      say_what_to_doubt(context, lines, case_name + ", " + precision, section);
    }
  }
  if (section.parts.size() == before) section.note("No profiles of these rungs are stored yet; `ladder profile` creates them.");
}

}  // namespace ladder::reports
