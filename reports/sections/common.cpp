#include "reports/sections/common.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

const char* pairing_mark(Pairing pairing) {
  return pairing == Pairing::rounds ? "" : pairing == Pairing::sessions ? " †" : " ‡";
}

std::string pairing_text(const Ratio& ratio) {
  if (ratio.pairing == Pairing::rounds) return counted(ratio.pairs, "paired round");
  return ratio.pairing == Pairing::sessions ? "same session, no common round" : "different sessions";
}

/// `d2q9/serial` of `d2q9/serial/03_soa`.
std::string folder(const std::string& rung) { return rung.substr(0, std::min(rung.rfind('/'), rung.size())); }

/// `tgv-` of `tgv-32`; empty for a name without `-`.
std::string kind_of(const std::string& case_name) { return case_name.substr(0, case_name.rfind('-') + 1); }

/// Whether a rung keeps cells on the chip from step to step: the first memory level that it declares is the one its steps use.
bool stays_on_chip(const Row& row) {
  const std::vector<LevelTraffic> levels = parse_levels(row.bytes_per_update_levels);
  return !levels.empty() && levels.front().level != "dram";
}

/// A value derived from a cell's rate, with the cell's mark.
TableCell marked(TableCell number, const Cell& cell) {
  if (cell.mark().empty()) return number;
  number.text += cell.mark();
  number.hover = fmt::format("{} ({})", number.exact, cell.why_marked());
  return number;
}

bool are_of_one_folder(const std::vector<std::string>& rungs) {
  return std::ranges::all_of(rungs, [&](const std::string& r) { return folder(r) == folder(rungs.front()); });
}

/// The names of rungs, each preceded by the folder if the rungs come from several.
template <class Name>
std::vector<std::string> with_folders(const std::vector<std::string>& rungs, Name name) {
  const bool from_one = are_of_one_folder(rungs);
  std::vector<std::string> names;
  for (const std::string& rung : rungs)
    names.push_back(from_one ? name(rung) : last_part(folder(rung)) + "/" + name(rung));
  return names;
}

}  // namespace

std::string precision_of(const Parameters& block) { return block.text("precision", std::string(default_number.name)); }

Selection selection_of(const Parameters& block, const char* tuning) {
  return {block.texts("cases"), block.texts("rungs"), precision_of(block), block.text("tuning", tuning)};
}

std::string rows_caption(const Context& context, const std::vector<const Cell*>& cells, const std::string& filter) {
  std::set<std::string> sessions;
  std::size_t samples = 0;
  for (const Cell* cell : cells) {
    samples += cell->updates_per_second.size();
    for (const Observation& o : cell->updates_per_second)
      sessions.insert(o.session);
  }
  if (cells.empty()) {
    return fmt::format("No rows of experiments/{}/results/{}.csv: {}.", context.study.name, context.results.data().name,
                       filter);
  }
  return fmt::format("Rows: study {}, machine {}, session {}; {}; {} of experiments/{}/results/{}.csv.", context.study.name,
                     context.results.data().name, joined({sessions.begin(), sessions.end()}, 4), filter,
                     counted(samples, "ok row"), context.study.name, context.results.data().name);
}

std::string energy_caption(const std::vector<const Cell*>& cells) {
  std::set<std::string> domains;
  for (const Cell* cell : cells)
    for (const Row* row : cell->rows)
      if (row->joules > 0) domains.insert(row->energy_domain == "gpu" ? "the GPU card" : "the processor packages");
  return fmt::format("Energy is that of {}, in the samples that have it (docs/measuring.md, \"Energy\").",
                     fmt::join(domains, ", or of "));
}

std::vector<const Row*> rows_of(const std::vector<const Cell*>& cells, const std::vector<const Cell*>& ceilings) {
  std::vector<const Row*> rows;
  for (const auto* some : {&cells, &ceilings})
    for (const Cell* cell : *some)
      rows.insert(rows.end(), cell->rows.begin(), cell->rows.end());
  return rows;
}

std::string profiles_caption(const Context& context, const std::vector<const Profile*>& profiles) {
  if (profiles.empty()) return "";
  std::set<std::size_t> lines;
  std::set<std::string> sessions;
  std::set<std::string> how;
  for (const Profile* p : profiles) {
    lines.insert(p->line);
    sessions.insert(p->session);
    how.insert(fmt::format("{} on {}", p->profiler, p->device));
  }
  std::vector<std::string> numbers;
  for (const std::size_t line : lines)
    numbers.push_back(std::to_string(line));
  std::string caption =
      fmt::format("Counters: {} of experiments/{}/results/{}.profile.csv (line {}), session {}; {}.",
                  counted(profiles.size(), "row"), context.study.name, context.results.data().name, joined(numbers, 30),
                  joined({sessions.begin(), sessions.end()}, 4), joined({how.begin(), how.end()}));
  if (std::ranges::any_of(profiles, &Profile::is_of_processor))
    caption +=
        " Counts of processors are those of all threads in user mode; bytes read are 64 for each miss of the last-level cache "
        "if "
        "no bytes written are known.";
  return caption;
}

TableCell dram_cell(const Profile* profile, double model) {
  if (profile != nullptr && !std::isnan(profile->dram_bytes_per_update())) return number_cell(profile->dram_bytes_per_update());
  TableCell cell = number_cell(model);
  if (!std::isnan(model)) cell.text += " (model)";
  cell.hover = "bytes that the rung declares; its counters were not read";
  return cell;
}

double scaled_share(const Profile& profile) { return profile.running_share < 1 ? profile.running_share : unknown; }

TextCell stalls_cell(const Profile& profile) {
  const auto stalls = profile.stalls();
  double all = 0;
  for (const auto& [reason, warps] : stalls)
    all += warps;
  std::vector<std::string> parts;
  for (const auto& [reason, warps] : stalls)
    if (parts.size() < 3) parts.push_back(fmt::format("{} {}", reason, percent(warps / all)));
  if (parts.empty()) return "—";
  TextCell cell(joined(parts));
  cell.exact = profile.stalls_text;
  cell.hover = "warps that wait, at each instruction issued: " + profile.stalls_text;
  return cell;
}

TableCell ratio_cell(const Ratio& ratio) {
  if (!ratio.is_known()) return "—";
  TableCell cell(times(ratio.value) + pairing_mark(ratio.pairing) + interval_text(ratio.interval), ratio.value);
  cell.hover = fmt::format("{} ({})", cell.exact, pairing_text(ratio));
  return cell;
}

TableCell fraction_cell(const Fraction& fraction) {
  TableCell cell = percent_cell(fraction.ratio.value, fraction.most);
  cell.text += pairing_mark(fraction.ratio.pairing);
  cell.hover = fmt::format("{} of {}", cell.exact, describe(fraction.ceiling));
  if (fraction.ratio.interval.is_known()) {
    cell.hover +=
        fmt::format(", 95 % interval [{}, {}]", percent(fraction.ratio.interval.low), percent(fraction.ratio.interval.high));
  }
  cell.hover += fmt::format(" ({})", pairing_text(fraction.ratio));
  return cell;
}

TableCell percent_cell(double fraction, double most) {
  TableCell cell(percent(fraction), fraction);
  cell.flagged = fraction > most;
  return cell;
}

std::string percent_interval(const Interval& interval) { return interval_text({100 * interval.low, 100 * interval.high}); }

void say_what_moves_less(const std::vector<const Cell*>& cells, Section& section) {
  std::map<bool, std::map<std::string, std::vector<const Row*>>> by_reason;
  for (const Cell* cell : cells)
    if (moves_less(*cell)) by_reason[stays_on_chip(*cell->row)][cell->row->rung].push_back(cell->row);
  for (const auto& [on_chip, rungs] : by_reason) {
    std::vector<std::string> ids;
    for (const auto& [rung, rows] : rungs)
      ids.push_back(rung);
    std::vector<std::string> parts = short_names(ids);
    std::set<std::string> copies;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::vector<const Row*>& rows = rungs.at(ids[i]);
      const auto [least, most] = std::ranges::minmax(rows, {}, &Row::dram_bytes_per_update);
      const std::string low = count_cell(least->dram_bytes_per_update()).text;
      const std::string high = count_cell(most->dram_bytes_per_update()).text;
      parts[i] += fmt::format(" ({} of {} B)", low == high ? low : low + " to " + high,
                              count_cell(least->bytes_per_update_minimum).text);
      copies.insert(fmt::format("copy-{}", least->q));
    }
    const bool one = parts.size() == 1;
    section.say(fmt::format(
        "{} {} fewer bytes of DRAM per update than one step through memory needs, because {}; {} may exceed {} and STREAM "
        "(docs/temporal-blocking.md).",
        joined(parts, parts.size()), one ? "moves" : "move",
        on_chip ? "the lattice, or a part of it, stays on the chip"
                : "a pass through memory advances several steps, or cells do not store all their populations",
        one ? "it" : "they", joined({copies.begin(), copies.end()})));
  }
}

void say_foreign(const std::vector<const Cell*>& cells, Section& section) {
  std::set<std::string> named;
  for (const Cell* cell : cells)
    if (cell->row->is_foreign()) named.insert(fmt::format("{} ({})", cell->row->rung, cell->foreign_note()));
  if (named.empty()) return;
  section.note(
      fmt::format("Programs from outside this project: {}. Their traffic and operations are the model's minimum; "
                  "docs/measuring.md explains their times.",
                  joined({named.begin(), named.end()}, named.size())));
}

TextCell passed_cell(bool passed) {
  TextCell cell = passed ? "yes" : "no";
  cell.flagged = !passed;
  return cell;
}

double fluid_share(const Row& row) {
  if (row.fluid_cells == 0) return 1;  // the row does not say
  return static_cast<double>(row.fluid_cells) / static_cast<double>(row.cells);
}

TableCell two_decimals(double value) {
  return std::isfinite(value) ? TableCell(fmt::format("{:.2f}", value), value) : TableCell("—");
}

TableCell share_cell(double fraction) { return percent_cell(fraction); }

TableCell times_cell(double ratio) { return {times(ratio), ratio}; }

TableCell bytes_cell(double bytes) { return bytes > 0 ? TableCell(binary_bytes(bytes), bytes) : TableCell("—"); }

TableCell time_cell(const Cell& cell) { return marked(number_cell(cell.microseconds_per_step()), cell); }

TableCell rate_cell(const Cell& cell) { return marked(number_cell(cell.mlups()), cell); }

TableCell four_digit_rate_cell(const Cell& cell) { return marked(number_cell(cell.mlups(), 4), cell); }

TableCell count_cell(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? TableCell(grouped(std::llround(value)), value)
                                                              : number_cell(value);
}

std::string with_tuning(const std::string& name, const std::string& tuning) {
  return tuning.empty() ? name : name + ", " + tuning;
}

std::string row_name(const Row& row) { return with_tuning(row.rung, row.tuning); }

std::string describe(const Ceiling& ceiling) {
  std::string text = fmt::format("{} ({}", ceiling.name, ceiling.backend);
  if (!ceiling.store.empty()) text += ", store=" + ceiling.store;
  if (ceiling.bytes > 0) text += ", " + binary_bytes(ceiling.bytes);
  return text + fmt::format(", {})", ceiling.cell->row->precision);
}

std::string strongest(const std::vector<Ceiling>& ceilings, const Context& context) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const char* unit, auto rate) {
    const auto highest = std::ranges::max_element(ceilings, {}, rate);
    if (highest != ceilings.end() && rate(*highest) > 0)
      parts.push_back(
          fmt::format("the highest {} is {} {}, {}", what, significant(rate(*highest) / 1e9), unit, describe(*highest)));
  };
  add("bandwidth", "GB/s",
      [&](const Ceiling& c) { return context.ceilings.is_dram_sized(c) && c.bandwidth() > 0 ? c.bandwidth() : 0; });
  add("arithmetic rate", "GFLOP/s", [](const Ceiling& c) { return c.flops() > 0 ? c.flops() : 0; });
  if (parts.empty()) return "";
  return fmt::format("Among the ceilings, {}.", fmt::join(parts, "; "));
}

std::string why_missing(const Context& context, const CellQuery& query) {
  for (const Failure& f : context.results.failures()) {
    if (matches(query.rung, f.row->rung) && f.row->case_name == query.case_name && f.row->precision == query.precision &&
        !f.ok_since) {
      return f.row->outcome;
    }
  }
  for (const Withheld& w : context.results.withheld()) {
    if (matches(query.rung, w.cell.row->rung) && w.cell.row->case_name == query.case_name) return "not checked";
  }
  return "not measured";
}

double positive(double value) { return std::isfinite(value) && value > 0 ? value : unknown; }

std::vector<const Cell*> cells_of(const Context& context, const std::vector<std::string>& patterns,
                                  const std::string& case_name, const std::string& precision, const std::string& tuning) {
  std::vector<const Cell*> cells;
  for (const std::string& rung : context.results.matching_rungs(patterns)) {
    const Cell* cell = context.results.choose({.rung = rung, .case_name = case_name, .precision = precision, .tuning = tuning});
    if (cell != nullptr) cells.push_back(cell);
  }
  return cells;
}

double nominal_steps(const Paper& paper, const std::string& label, const std::string& case_name) {
  const double own = paper.value(label, case_name, "steps");
  return std::isnan(own) ? paper.value("", case_name, "steps") : own;
}

double sides_of_kind(const Context& context, const std::string& case_name) {
  const std::string kind = kind_of(case_name);
  const std::vector<Row>& rows = context.results.data().file.rows;
  const auto row =
      std::ranges::find_if(rows, [&](const Row& r) { return r.cells > 0 && !kind.empty() && r.case_name.starts_with(kind); });
  if (row == rows.end()) return unknown;
  return row->nz > 1 ? 3 : 2;
}

std::map<std::int64_t, Flow> flows_of(const Parameters& block, const Context& context, const std::string& kind,
                                      const std::string& case_name) {
  if (case_name.find('/') != std::string::npos)
    block.fail("cases", fmt::format("names '{}'; accepted: names of cases", case_name));
  const MachineData& data = context.results.data();
  const std::string rungs = block.text("rung", "");
  std::map<std::int64_t, Flow> flows;
  std::string key;
  for (const Flow& flow : data.flows.rows) {
    if (flow.kind != kind || flow.case_name != case_name || !is_stored(data.folder / flow.file)) continue;
    if (!rungs.empty() && !matches(rungs, flow.rung)) continue;
    if (flow.key != key) flows.clear();
    key = flow.key;
    flows[flow.steps] = flow;
  }
  if (!flows.empty() || !rungs.empty()) return flows;
  const std::string start = fmt::format("{}.{}.{}.", data.name, kind, case_name);
  std::error_code none;  // a trial report has no study folder
  for (const auto& entry : std::filesystem::directory_iterator(data.folder, none)) {
    Flow flow;
    flow.file = stored_name(entry.path());
    if (!flow.file.starts_with(start)) continue;
    const char* const rest = flow.file.data() + start.size();
    const char* const end = flow.file.data() + flow.file.size();
    const std::string_view ending = std::from_chars(rest, end, flow.steps).ptr;
    const bool is_frame = kind == "field" && ending == ".csv";
    if (is_frame || std::string_view(rest) == "csv") flows[flow.steps] = flow;
  }
  if (flows.size() > 1) flows.erase(0);  // if a case has several pictures, they have replaced its single one
  return flows;
}

CsvFile read_flow_file(const std::filesystem::path& path) {
  CsvFile file = CsvFile::parse(path, read_stored(path));
  if (!file.is_whole()) throw FileError(path, 0, "is cut off; accepted: every row ends with a line break");
  return file;
}

std::string flows_caption(const Context& context, const std::vector<Flow>& flows) {
  std::vector<std::string> files;
  std::set<std::string> rungs;
  for (const Flow& flow : flows) {
    files.push_back(flow.file);
    rungs.insert(flow.rung.empty() ? "a rung that older versions did not store"
                                   : fmt::format("{} in {} on {}", flow.rung, flow.precision, flow.device));
  }
  return fmt::format("From {} of experiments/{}/results, by {}.", fmt::join(files, ", "), context.study.name,
                     joined({rungs.begin(), rungs.end()}));
}

const Cell* with_own_tuning(const Context& context, const Cell& cell) {
  const RungDescription* description = context.results.rung(cell.row->rung, cell.row->build);
  if (description == nullptr || description->tunables.empty()) return nullptr;
  const Cell* own = context.results.choose({.rung = cell.row->rung,
                                            .build = cell.row->build,
                                            .case_name = cell.row->case_name,
                                            .precision = cell.row->precision,
                                            .workers = cell.row->workers()});
  return own != nullptr && !own->row->tuning.empty() ? own : nullptr;
}

std::vector<PhaseTime> median_phases(const Cell& cell) {
  std::vector<PhaseTime> phases;
  std::vector<std::vector<double>> all;
  for (const Row* row : cell.rows)
    for (const PhaseTime& phase : parse_phases(row->phases)) {
      const auto found = std::ranges::find(phases, phase.name, &PhaseTime::name);
      const auto at = static_cast<std::size_t>(found - phases.begin());
      if (found == phases.end()) {
        phases.push_back({phase.name});
        all.emplace_back();
      }
      all[at].push_back(phase.seconds);
    }
  for (std::size_t i = 0; i < all.size(); ++i)
    phases[i].seconds = median(all[i]);
  return phases;
}

Series phase_rates(const Cell& cell, const std::string& phase) {
  Series rates;
  for (const Row* row : cell.rows)
    for (const PhaseTime& time : parse_phases(row->phases))
      if (time.name == phase && time.seconds > 0)
        rates.push_back({row->session, row->round, static_cast<double>(row->cells) / time.seconds});
  return rates;
}

double cells_in_case(const Context& context, const std::string& case_name) {
  for (const Row& row : context.results.data().file.rows) {
    if (row.case_name == case_name && row.cells > 0) return static_cast<double>(row.cells);
  }
  // `32`, or `48x32x16`.
  double sites = 1;
  std::ptrdiff_t named = 0;
  for (const char* at = case_name.data() + kind_of(case_name).size(); at < case_name.data() + case_name.size(); ++named) {
    double side = 0;
    const auto [end, error] = std::from_chars(at, case_name.data() + case_name.size(), side);
    if (error != std::errc()) return unknown;
    sites *= side;
    at = end + (*end == 'x' ? 1 : 0);
    if (at == end && *end != '\0') return unknown;
  }
  return positive(named == 1 ? std::pow(sites, sides_of_kind(context, case_name)) : sites);
}

std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::vector<std::string> short_names(const std::vector<std::string>& rungs) { return with_folders(rungs, last_part); }

std::string idea_name(const Context& context, const std::string& rung) {
  constexpr std::size_t longest = 40;
  const std::string name = words(last_part(rung));
  const RungDescription* described = context.results.rung(rung, "default");
  if (described == nullptr) return name;
  std::string idea = described->idea.substr(0, described->idea.find_first_of(":;,("));
  while (idea.ends_with(' '))
    idea.pop_back();
  const std::string number = name.substr(0, name.find(' '));
  const bool is_numbered = !number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return idea.empty() || idea.size() > longest || !is_numbered ? name : number + " " + idea;
}

std::vector<std::string> idea_names(const Context& context, const std::vector<std::string>& rungs) {
  return with_folders(rungs, [&](const std::string& rung) { return idea_name(context, rung); });
}

std::string rounded(double value) { return significant(std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr)); }

std::string range_text(const std::vector<std::pair<double, std::string>>& named, std::string (*text)(double)) {
  if (named.empty()) return "";
  const auto [low, high] = std::ranges::minmax_element(named);
  const auto one = [&](const auto& n) { return fmt::format("{} ({})", text(n.first), n.second); };
  return named.size() == 1 ? one(*low) : fmt::format("from {} to {}", one(*low), one(*high));
}

std::string tie_text(const Context& context, const Cell& fastest, const Cell& second, const std::string& name) {
  const Ratio lead = paired_ratio(fastest.updates_per_second, second.updates_per_second);
  const double floor = context.results.noise_floor(fastest, second);
  if (!is_tie(lead, floor)) return "";
  const std::string noise = std::isnan(floor) ? "" : ", noise " + percent(floor);
  return fmt::format("; the rows do not distinguish it from {} ({}{})", name, ratio_cell(lead).text, noise);
}

std::string figure_title(const Context& context, const std::string& what, const std::vector<std::string>& of) {
  std::vector<std::string> all = of;
  all.push_back(context.results.data().label());
  return fmt::format("{}: {}", what, joined(all, all.size()));
}

std::vector<Look> looks(const std::vector<std::string>& rungs) {
  const bool from_one = are_of_one_folder(rungs);
  std::map<std::string, std::pair<std::size_t, std::size_t>> folders;  // index and size so far
  std::vector<Look> result;
  for (const std::string& rung : rungs) {
    auto& [index, size] = folders.try_emplace(folder(rung), folders.size(), 0).first->second;
    // There are three shades; a fourth folder begins with the fifth symbol.
    result.push_back(from_one ? our_look(size) : Look{color::ours(index), point_type(size + 4 * (index / 3))});
    ++size;
  }
  return result;
}

Look our_look(std::size_t i) { return {color::ours(i), point_type(i)}; }

Look paper_look(std::size_t i) { return {color::vermilion, point_type(i + 6)}; }

std::vector<std::string> paper_labels(const Parameters& block, const Context& context, const char* parameter) {
  const std::vector<std::string> labels = block.texts(parameter, {});
  for (const std::string& label : labels) {
    if (context.study.paper.has_label(label)) continue;
    block.fail(parameter, fmt::format("names '{}', which {} lacks; accepted: {}", label, context.study.paper.path().string(),
                                      joined(context.study.paper.labels(), 40)));
  }
  return labels;
}

}  // namespace ladder::reports
