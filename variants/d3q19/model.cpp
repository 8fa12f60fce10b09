#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/d3q19/body.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/fields.hpp"

namespace d3q19 {
namespace {

Macroscopic at(const ladder::Populations& state, std::int64_t cell) {
  return moments(lattice::populations<Lattice>(state, cell).data());
}

/// Sum of value(x, y, z, n) over the fluid cells in a state's box, where n is the cell's index in the box.
template <class Value>
double sum_over_fluid(const Case& c, const ladder::Box& box, Value value) {
  return ladder::total(ladder::in_parts(box.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    ladder::Sum sum;
    for (std::int64_t n = first; n < last; ++n) {
      const auto [x, y, z] = box.place(n);
      if (c.kind(x, y, z) == 0) sum.add(value(x, y, z, n));
    }
    return sum.value();
  }));
}

/// A raw block of a VTK file: its length in bytes, then the values.
template <class T>
void append_block(std::string& to, const std::vector<T>& numbers) {
  const std::uint64_t bytes = numbers.size() * sizeof(T);
  to.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  to.append(reinterpret_cast<const char*>(numbers.data()), bytes);
}

/// The flow as VTK image data (VTK file formats, "ImageData"): velocity, density and kind of each cell.
std::string image_data(const Case& c, const ladder::Populations& state) {
  static_assert(std::endian::native == std::endian::little);
  const auto cells = static_cast<std::size_t>(c.cells());
  std::vector<float> velocity(3 * cells), density(cells);
  std::vector<std::uint8_t> kinds(cells);
  lattice::detail::for_each_cell(state.box, q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t cell) {
    const auto n = static_cast<std::size_t>(cell);
    const Macroscopic m = at(state, cell);
    kinds[n] = static_cast<std::uint8_t>(c.kind(x, y, z));
    velocity[3 * n] = static_cast<float>(m.ux);
    velocity[3 * n + 1] = static_cast<float>(m.uy);
    velocity[3 * n + 2] = static_cast<float>(m.uz);
    density[n] = static_cast<float>(m.density);
  });
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", c.nx, c.ny, c.nz);
  std::size_t offset = 0;
  const auto array = [&](std::string_view type, std::string_view name, int components, std::size_t bytes) {
    const std::string text = fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
        name, components, offset);
    offset += sizeof(std::uint64_t) + bytes;
    return text;
  };
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n  <ImageData WholeExtent=\"{0}\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">\n    <Piece "
      "Extent=\"{0}\">\n      <CellData Scalars=\"density\" Vectors=\"velocity\">\n",
      extent);
  text += array("Float32", "velocity", 3, velocity.size() * sizeof(float));
  text += array("Float32", "density", 1, density.size() * sizeof(float));
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

}  // namespace

std::array<double, 3> force(const Case& c, const ladder::Populations& state) {
  std::array<double, 3> sum{};
  if (c.solid.empty()) return sum;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum[axis] = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      double handed_over = 0;
      for (int i = 1; i < q; ++i) {
        const lattice::Velocity v = Lattice::c(i);
        const int along = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
        if (along != 0 && c.kind(x + v.x, y + v.y, z + v.z) == D3Q19_WALL)
          handed_over += 2 * along * (state.at(i, n) - Lattice::weight(i));
      }
      return handed_over;
    });
  return sum;
}

double velocity_error(const Case& c, const ladder::Populations& state, double step, bool (*counts)(const Case&, std::int64_t)) {
  const auto takes = [&](std::int64_t x) { return counts == nullptr || counts(c, x); };
  const double error = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (!takes(x)) return 0.;
    const Macroscopic m = at(state, n), exact = c.exact(x, y, z, step);
    const double dx = m.ux - exact.ux, dy = m.uy - exact.uy, dz = m.uz - exact.uz;
    return dx * dx + dy * dy + dz * dz;
  });
  const double scale = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t) {
    if (!takes(x)) return 0.;
    const Macroscopic exact = c.exact(x, y, z, step);
    return exact.ux * exact.ux + exact.uy * exact.uy + exact.uz * exact.uz;
  });
  return std::sqrt(error / scale);
}

double sphere_drag(double reynolds) {
  if (reynolds < 20) return 24 / reynolds * (1 + 0.1315 * std::pow(reynolds, 0.82 - 0.05 * std::log10(reynolds)));
  return 24 / reynolds * (1 + 0.1935 * std::pow(reynolds, 0.6305));
}

ladder::Box Model::series_box(const Case& c) {
  // The fluid cells next to walls.
  ladder::Triple low = c.grid(), high = {0, 0, 0};
  for (std::size_t n = 0; n < c.solid.size(); ++n)
    if (c.solid[n] == D3Q19_WALL) {
      const ladder::Triple place = ladder::Box{{}, c.grid()}.place(static_cast<std::int64_t>(n));
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], place[a]);
        high[a] = std::max(high[a], place[a]);
      }
    }
  ladder::Box box{{}, c.grid()};
  for (std::size_t a = 0; a < 3; ++a) {
    if (low[a] > high[a]) return {{}, {1, 1, 1}};
    if (low[a] == 0 || high[a] == c.grid()[a] - 1) continue;
    box.origin[a] = low[a] - 1;
    box.extent[a] = high[a] - low[a] + 3;
  }
  return box;
}

std::vector<double> Model::series(const Case& c, const ladder::Populations& state, std::int64_t) {
  const auto [drag, lift, side] = force(c, state);
  if (c.area == 0) return {drag, lift, 0, 0};
  const double diameter = std::sqrt(4 * c.area / M_PI), reynolds = c.speed * diameter / c.viscosity();
  return {drag, lift, 2 * drag / (c.speed * c.speed * c.area), reynolds >= 0.01 && reynolds <= 260 ? sphere_drag(reynolds) : 0};
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  std::string text = c.note;
  text += fmt::format("case: {} ({}x{}x{}, {} fluid cells), {} steps\n", c.name, c.nx, c.ny, c.nz, c.fluid_cells(), c.steps);
  if (c.length > 0)
    text += fmt::format("Reynolds number of the body's length, {:.1f} cells: {:.1f}\n", c.length,
                        c.speed * c.length / c.viscosity());
  if (!c.solid.empty()) {
    const auto [drag, lift, side] = force(c, state);
    text += fmt::format("force on walls: {:.6E} along x (drag), {:.6E} along y (lift), {:.6E} along z\n", drag, lift, side);
    const auto add_coefficient = [&, force_x = drag](std::string_view what, double area) {
      text += fmt::format("drag coefficient{}: {:.6f}, frontal area {:.1f}\n", what, 2 * force_x / (c.speed * c.speed * area),
                          area);
    };
    if (c.area > 0) {
      add_coefficient("", c.area);
      if (const double covered = frontal_area(c); covered != c.area)
        add_coefficient(" of the area that the voxels cover", covered);
    }
  }
  if (c.flow != Flow::other && c.flow != Flow::duct)
    text += fmt::format("error of the velocity: {:.6E}\n", velocity_error(c, state, static_cast<double>(c.steps)));
  return text;
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(
      c,
      [&](std::int64_t x, std::int64_t y) {
        const Macroscopic m = at(plane, x + c.nx * y);
        return std::hypot(m.ux, m.uy, m.uz);
      },
      plane.box.origin[2]);
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  ladder::Populations plane(q, {{0, 0, picture_plane(c)}, {c.nx, c.ny, 1}});
  plane.take(state);
  ladder::write_files(folder,
                      {{std::string(result_files[0]), image_data(c, state)}, {std::string(result_files[1]), pixmap(c, plane)}});
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook", [](Counting* f) { collide_textbook(f, Counting(1.25), Counting(1.1), Counting(1)); }),
          count("factored", [](Counting* f) { d3q19_collide(f, Counting(1.25), Counting(1.1)); })};
}

}  // namespace d3q19
