#include "variants/d3q19/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "variants/d3q19/body.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/fields.hpp"

namespace d3q19 {

Macroscopic at(const ladder::Populations& state, std::int64_t cell) {
  return moments(lattice::populations<Lattice>(state, cell).data());
}

namespace {

/// A raw block of a VTK file: its length in bytes, then the values.
template <class T>
void append_block(std::string& to, const std::vector<T>& numbers) {
  const std::uint64_t bytes = numbers.size() * sizeof(T);
  to.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  to.append(reinterpret_cast<const char*>(numbers.data()), bytes);
}

/// The flow as VTK image data (VTK file formats, "ImageData"): velocity and density in this number format, and
/// the kind of each cell.
template <class real>
std::string image_data(const Case& c, const ladder::Populations& state) {
  static_assert(std::endian::native == std::endian::little);
  const auto cells = static_cast<std::size_t>(c.cells());
  std::vector<real> velocity(3 * cells), density(cells);
  std::vector<std::uint8_t> kinds(cells);
  lattice::detail::for_each_cell(state.box, q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t cell) {
    const auto n = static_cast<std::size_t>(cell);
    const Macroscopic m = at(state, cell);
    kinds[n] = static_cast<std::uint8_t>(c.kind(x, y, z));
    velocity[3 * n] = static_cast<real>(m.ux);
    velocity[3 * n + 1] = static_cast<real>(m.uy);
    velocity[3 * n + 2] = static_cast<real>(m.uz);
    density[n] = static_cast<real>(m.density);
  });
  const std::string type = fmt::format("Float{}", 8 * sizeof(real));
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", c.nx, c.ny, c.nz);
  std::size_t offset = 0;
  const auto array = [&](std::string_view number, std::string_view name, int components, std::size_t bytes) {
    const std::string text = fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", number,
        name, components, offset);
    offset += sizeof(std::uint64_t) + bytes;
    return text;
  };
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n  <ImageData WholeExtent=\"{0}\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">\n    <Piece "
      "Extent=\"{0}\">\n      <CellData Scalars=\"density\" Vectors=\"velocity\">\n",
      extent);
  text += array(type, "velocity", 3, velocity.size() * sizeof(real));
  text += array(type, "density", 1, density.size() * sizeof(real));
  text += array("UInt8", "kind", 1, kinds.size());
  text += "      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
  append_block(text, velocity);
  append_block(text, density);
  append_block(text, kinds);
  return text + "\n  </AppendedData>\n</VTKFile>\n";
}

/// The speeds in the plane shown in pictures, in the Portable Pixmap format: from dark blue (0) through green to yellow
/// (maximum), with boundary cells in grey; the upper edge has the largest y.
std::string pixmap(const Case& c, const ladder::Populations& plane) {
  std::vector<double> speeds;
  for (std::int64_t n = 0; n < plane.cells(); ++n) {
    const auto [x, y, z] = plane.box.place(n);
    const Macroscopic m = at(plane, n);
    speeds.push_back(c.kind(x, y, z) == 0 ? std::hypot(m.ux, m.uy, m.uz) : -1);
  }
  const double most = std::max(*std::max_element(speeds.begin(), speeds.end()), 1e-300);
  std::string text = fmt::format("P6\n{} {}\n255\n", c.nx, c.ny);
  for (std::int64_t y = c.ny - 1; y >= 0; --y)
    for (std::int64_t x = 0; x < c.nx; ++x) {
      const double speed = speeds[static_cast<std::size_t>(x + c.nx * y)], share = speed / most;
      const auto channel = [&](double value) {
        text += static_cast<char>(static_cast<unsigned char>(speed < 0 ? 128 : std::lround(255 * std::clamp(value, 0., 1.))));
      };
      channel(2 * share - 1);
      channel(0.1 + 0.9 * share);
      channel(share < 0.5 ? 0.4 : 0.8 * (1 - share));
    }
  return text;
}

/// The force on walls, along the mesh's axes (body.cpp) if `up` names the one that points up, otherwise along the lattice's.
std::string force_text(const std::array<double, 3>& force, char up) {
  const auto [wind, upward, side] = force;
  if (up == 0)
    return fmt::format("force on walls: {:.6E} along x (drag), {:.6E} along y (lift), {:.6E} along z\n", wind, upward, side);
  return fmt::format("force on walls, along the mesh's axes: {:.6E} along {} (drag), {:.6E} along {} (lift), {:.6E} along {}\n",
                     wind, up == 'x' ? 'y' : 'x', upward, up, up == 'y' ? side : -side, up == 'z' ? 'y' : 'z');
}

/// The plane of a duct in which its flow is compared with the analytic one: three quarters of the way to the outflow.
std::int64_t developed_plane(const Case& c) { return 3 * c.nx / 4; }

/// The error of a duct's flow. From one side length downstream of the inflow, the flow does not depend on x (case.cpp).
std::string duct_text(const Case& c, const ladder::Populations& state) {
  const std::int64_t plane = developed_plane(c), side = std::max(c.ny, c.nz) - 2;
  if (plane < side)
    return fmt::format(
        "error of the velocity: none, the duct is too short for its sides (accepted: {} cells along x or more)\n",
        (4 * side + 2) / 3);
  const double error = velocity_error(c, state, static_cast<double>(c.steps),
                                      [](const Case& duct, std::int64_t x) { return x == developed_plane(duct); });
  return fmt::format("error of the velocity in the plane x = {}, relative to the analytic series: {:.6E}\n", plane, error);
}

std::string settling_text(const Settling& settling) {
  constexpr double percent = 100;
  if (settling.is_settled())
    return fmt::format("settled: the drag coefficient varied by {:.2g} % over the last quarter of the run\n",
                       percent * settling.swing());
  if (!settling.is_known) return "";
  if (!(settling.swing() <= Settling::most_swing))  // also if the mean is 0
    return fmt::format(
        "not settled: the drag coefficient varied from {:.6f} to {:.6f} over the last quarter of the run (accepted: {} % of "
        "its mean)\n",
        settling.low, settling.high, percent * Settling::most_swing);
  return fmt::format("not settled: the wind has crossed {:.3g} % of the tunnel's length (accepted: 100 % or more)\n",
                     percent * settling.crossings);
}

}  // namespace

Settling::Settling(const Case& c, const std::vector<std::vector<double>>& late)
    : crossings(c.speed * static_cast<double>(c.steps) / c.nx), is_known(!late.empty()) {
  constexpr std::size_t column = 2;  // drag_coefficient
  low = high = is_known ? late.front()[column] : 0;
  for (const auto& row : late) {
    low = std::min(low, row[column]);
    high = std::max(high, row[column]);
    mean += row[column] / static_cast<double>(late.size());
  }
}

double Settling::swing() const { return (high - low) / std::abs(mean); }

std::string summary(const Case& c, const ladder::Populations& state, const std::vector<std::vector<double>>& late, char up) {
  std::string text = c.note;
  text += fmt::format("case: {} ({}x{}x{}, {} fluid cells), {} steps\n", c.name, c.nx, c.ny, c.nz, c.fluid_cells(), c.steps);
  if (c.length > 0)
    text += fmt::format("Reynolds number of the body's length, {:.1f} cells: {:.1f}\n", c.length,
                        c.speed * c.length / c.viscosity());
  const std::array<double, 3> on_walls = c.solid.empty() ? std::array<double, 3>{} : force(c, state);
  if (!c.solid.empty()) text += force_text(on_walls, up);
  if (!c.solid.empty() && c.area > 0) {
    const Settling settling(c, late);
    const auto add_coefficient = [&](std::string_view what, double area) {
      text += fmt::format("{}{}: {:.6f}, frontal area {:.1f}\n",
                          settling.is_settled() ? "drag coefficient" : "last drag coefficient", what,
                          2 * on_walls[0] / (c.speed * c.speed * area), area);
    };
    add_coefficient("", c.area);
    if (const double covered = frontal_area(c); covered != c.area)
      add_coefficient(" of the area that the voxels cover", covered);
    text += settling_text(settling);
  }
  if (c.flow != Flow::other && c.flow != Flow::duct)
    text += fmt::format("error of the velocity: {:.6E}\n", velocity_error(c, state, static_cast<double>(c.steps)));
  if (c.flow == Flow::duct) text += duct_text(c, state);
  return text;
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  return d3q19::summary(c, state, {}, 0);
}

void write_results(const Case& c, const ladder::Populations& state, const ladder::Number& number, const std::string& folder) {
  ladder::Populations plane(q, {{0, 0, Model::picture_plane(c)}, {c.nx, c.ny, 1}});
  plane.take(state);
  const bool is_double = number.bytes == sizeof(double);
  ladder::write_files(
      folder, {{std::string(Model::result_files[0]), is_double ? image_data<double>(c, state) : image_data<float>(c, state)},
               {std::string(Model::result_files[1]), pixmap(c, plane)}});
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  d3q19::write_results(c, state, ladder::find_number("f32"), folder);
}

}  // namespace d3q19

void ladder::SolveResults<d3q19::Model>::write(const d3q19::Case& c, const Populations& state, const SolvedRun& run,
                                               const std::string& folder) {
  d3q19::write_results(c, state, run.number, folder);
}

std::string ladder::SolveResults<d3q19::Model>::summary(const d3q19::Case& c, const Populations& state, const SolvedRun& run) {
  // The last of the files is the axis of the mesh that points up (rung_command.cpp).
  const bool has_mesh = run.cell.case_name.empty() && !run.cell.case_files.empty();
  return d3q19::summary(c, state, run.late, has_mesh ? run.cell.case_files.back()[0] : char{0});
}
