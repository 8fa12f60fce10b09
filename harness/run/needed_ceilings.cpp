#include "harness/run/needed_ceilings.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "roofline/model/number.hpp"

namespace ladder {
namespace {

/// Sizes that differ by a larger factor are not compared (reports/ceilings.cpp).
constexpr double same_size = 1.5;

/// A ceiling of the study, with its description.
struct Candidate {
  const Cell* cell = nullptr;
  const CeilingDescription* what = nullptr;
  double bytes_per_element = 0;
  double bytes = 0;  ///< working set
  bool is_on_gpu = false;
  bool is_of_cells = false;  ///< a cell that needs it has its backend
  bool is_near = false;      ///< a cell that needs it has a lattice of about its size
  bool is_placed = false;    ///< a cell that needs it has its placement or its number of workers

  [[nodiscard]] bool is_sized() const { return bytes_per_element > 0; }
  /// Identifies a quantity in one precision and on one kind of device.
  [[nodiscard]] auto quantity() const { return std::tuple(what->name, cell->row.precision, is_on_gpu); }
  /// Identifies a quantity in one precision and with one backend.
  [[nodiscard]] auto series() const { return std::tuple(what->name, cell->row.precision, cell->row.backend); }
};

/// Whether `backend` is `name` or combines it with others: `mpi+cuda` contains `cuda`.
bool has_backend(const std::string& backend, const std::string& name) {
  return ("+" + backend + "+").find("+" + name + "+") != std::string::npos;
}

/// Bytes per update if each population is read and written once; 0 if unknown.
double least_bytes(const Row& row) {
  return row.bytes_per_update_minimum > 0 ? row.bytes_per_update_minimum : 2. * row.q * find_number(row.precision).bytes;
}

/// Whether a lattice in one or two copies has about this size. Unknown sizes match any.
bool is_near(const Cell& cell, double bytes) {
  const double two_copies = static_cast<double>(cell.row.cells) * least_bytes(cell.row);
  return !(two_copies > 0) || (bytes <= same_size * two_copies && bytes * same_size >= two_copies / 2);
}

/// Whether a cell is compared with a ceiling, regardless of size and placement.
bool is_compared(const Cell& cell, bool cell_on_gpu, const Candidate& ceiling) {
  const bool is_of_backend = has_backend(cell.row.backend, ceiling.cell->row.backend);
  if (ceiling.cell->placement.processes > 1) return is_of_backend && cell.placement.processes > 1;
  if (cell_on_gpu != ceiling.is_on_gpu) return false;
  const std::string& precision = ceiling.cell->row.precision;
  if (!ceiling.is_sized())
    return ceiling.what->flops_per_element > 0 ? arithmetic_of(find_number(cell.row.precision)).name == precision
                                               : is_of_backend;
  if (precision != cell.row.precision) return false;
  // Only copies with the access pattern of a model count sites.
  const double least = least_bytes(cell.row);
  if (ceiling.what->unit == "site") return least == 0 || ceiling.bytes_per_element == least;
  // The triad stands for STREAM.
  return ceiling.what->name != "copy" && ceiling.what->name != "scale" && ceiling.what->name != "add";
}

/// Whether a ceiling runs in a cell's placement or, in one process, with as many workers: one thread of OpenMP is compared with
/// serial cells (reports/limits.cpp).
bool is_placed_like(const Cell& ceiling, const Cell& cell) {
  return cell.row.placement == ceiling.row.placement ||
         (ceiling.placement.processes == 1 && cell.row.workers() == ceiling.row.workers());
}

/// The ceilings that can run here and with which cells are compared at some size.
std::vector<Candidate> candidates(const std::vector<Cell>& cells, const std::function<bool(const Executable&)>& is_gpu) {
  std::vector<Candidate> all;
  for (const Cell& ceiling : cells) {
    if (!ceiling.is_ceiling() || !ceiling.unavailable.empty()) continue;
    const auto& described = ceiling.executable->description.ceilings;
    const std::string name = ceiling.row.rung.substr(ceiling.executable->id.size() + 1);
    const auto what = std::ranges::find(described, name, &CeilingDescription::name);
    if (what == described.end()) continue;
    Candidate candidate{.cell = &ceiling, .what = &*what, .is_on_gpu = is_gpu(*ceiling.executable)};
    if (const auto traffic = what->bytes_per_element.find(ceiling.row.precision); traffic != what->bytes_per_element.end())
      candidate.bytes_per_element = traffic->second.read + traffic->second.write;
    const std::string bytes = ceiling.row.case_name.substr(ceiling.row.case_name.find('-') + 1);
    std::from_chars(bytes.data(), bytes.data() + bytes.size(), candidate.bytes);
    bool is_needed = false;
    for (const Cell& cell : cells) {
      if (cell.is_ceiling() || !cell.unavailable.empty()) continue;
      if (!is_compared(cell, is_gpu(*cell.executable), candidate)) continue;
      is_needed = true;
      candidate.is_of_cells = candidate.is_of_cells || has_backend(cell.row.backend, ceiling.row.backend);
      candidate.is_near = candidate.is_near || is_near(cell, candidate.bytes);
      candidate.is_placed = candidate.is_placed || is_placed_like(ceiling, cell);
    }
    if (is_needed) all.push_back(candidate);
  }
  return all;
}

}  // namespace

void keep_needed_ceilings(std::vector<Cell>& cells, const std::function<bool(const Executable&)>& is_gpu) {
  std::vector<Candidate> all = candidates(cells, is_gpu);
  // By size: keep those near a lattice's size, and the largest.
  using Series = decltype(all.front().series());
  std::map<Series, double> largest;
  for (const Candidate& c : all)
    largest[c.series()] = std::max(largest[c.series()], c.bytes);
  std::erase_if(all, [&](const Candidate& c) { return c.is_sized() && !c.is_near && c.bytes < largest[c.series()]; });
  // By placement: keep those in the placement of a cell, if there are any.
  std::set<Series> placed;
  for (const Candidate& c : all)
    if (c.is_placed) placed.insert(c.series());
  std::erase_if(all, [&](const Candidate& c) { return !c.is_placed && placed.contains(c.series()); });
  // By backend: keep those of cells or, if none of them has this quantity at such a size, those of the first backend.
  const auto at_size = [](const Candidate& c) { return std::pair(c.quantity(), c.is_sized() && c.is_near); };
  std::map<decltype(at_size(all.front())), std::string> first;
  for (const bool is_of_cells : {true, false})
    for (const Candidate& c : all) {
      if (c.is_of_cells != is_of_cells) continue;
      const std::string backend = is_of_cells ? "" : c.cell->row.backend;
      first.try_emplace(at_size(c), backend);
      if (c.bytes == largest[c.series()]) first.try_emplace(std::pair(c.quantity(), false), backend);  // near or not
    }
  std::erase_if(all, [&](const Candidate& c) { return !c.is_of_cells && first[at_size(c)] != c.cell->row.backend; });
  std::set<const Cell*> kept;
  for (const Candidate& c : all)
    kept.insert(c.cell);
  std::vector<Cell> needed;
  for (Cell& cell : cells)
    if (!cell.is_ceiling() || !cell.executable->is_built || kept.contains(&cell)) needed.push_back(std::move(cell));
  cells = std::move(needed);
}

}  // namespace ladder
