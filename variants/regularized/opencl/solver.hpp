#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/opencl/setup.hpp"
#include "variants/lattice/opencl/transfer.hpp"
#include "variants/lattice/state.hpp"
#include "variants/regularized/moments.hpp"

namespace regularized {

using ladder::opencl::Buffer;
using ladder::opencl::Kernel;
using lattice::opencl::Definitions;
using lattice::opencl::Device;
using lattice::opencl::Shape;

extern const std::string_view shared_source;  ///< text of collide.h and its dependencies
extern const std::string_view moments_text;   ///< text of moments.cl
extern const std::string_view tile_text;      ///< text of tile.cl

/// Base of the models' OpenCL rungs: a device with two lattices of ten coefficients per cell, k[10][z][y][pitch], whose rows
/// are padded to whole lines.
template <class real>
class LatticePair : public Solver {
 public:
  void wait() override { LADDER_CL(device_.queue.finish()); }

  void store(ladder::Populations& out) override {
    ladder::Populations stored(numbers, out.box);
    transfer_.store(from_, coefficients(), stored);
    for_each_cell(stored, out, populations_of);
  }
  void load(const ladder::Populations& in) override {
    ladder::Populations stored(numbers, in.box);
    for_each_cell(in, stored, project);
    transfer_.load(from_, coefficients(), stored);
  }
  double conserved() override { return static_cast<double>(extents_.cells()) + mass_.sum(from_, mass_terms()) / (3 * edge); }

 protected:
  /// Builds the rung's kernel file for work-groups of this shape, after the given texts, and writes the initial state.
  /// @throws ladder::Unavailable without a (double precision) device; ladder::InputError beyond the device's limits
  LatticePair(const Case& c, Shape group, const std::vector<std::string_view>& texts, const Definitions& macros)
      : case_(lattice::numbered<cl_int>(c)),
        extents_(lattice::extents(c)),
        strides_(lattice::padded_rows<real>(c)),
        group_(group),
        program_(program(texts, macros)),
        from_(array()),
        to_(array()) {
    lattice::load_initial_planes<Model>(c, [&](const ladder::Populations& state, std::int64_t repeats) {
      load(state);
      repeat_first_plane(repeats);
    });
  }

  /// Returns a kernel with the common arguments and `own` bound.
  [[nodiscard]] Kernel kernel(const char* name, std::initializer_list<ladder::opencl::Argument> own = {}) const {
    const Relaxation<real> relaxation(case_.omega());
    const ladder::opencl::Argument common[] = {{"nx", case_.nx},
                                               {"ny", case_.ny},
                                               {"nz", case_.nz},
                                               {"pitch", static_cast<cl_int>(strides_.y)},
                                               {"keep", relaxation.keep},
                                               {"gain", relaxation.gain},
                                               {"edge", static_cast<real>(edge)}};
    Kernel kernel(device_, program_, name, group_, common);
    kernel.bind(own);
    return kernel;
  }

  /// Enqueues a launch over `items` work-items, and swaps the lattices.
  void launch(Kernel& kernel, Shape items) {
    kernel(items, {{"from", from_}, {"to", to_}});
    std::swap(from_, to_);
  }
  /// Takes one step with the kernel `update`, one work-item per cell.
  void update(Kernel& kernel) { launch(kernel, {static_cast<std::size_t>(case_.cells()), 1}); }

  /// Must be called after enqueuing launch number `launch`. Waits occasionally, so that the queue does not grow without bound.
  void bound_queue(std::int64_t launch) {
    constexpr std::int64_t most = 1024;
    if (launch % most == most - 1) wait();
  }

  const Case case_;
  const Device device_ = Device::select();
  const lattice::Extents extents_;
  const lattice::Strides strides_;
  const Shape group_;

 private:
  [[nodiscard]] cl::Program program(const std::vector<std::string_view>& texts, const Definitions& more) const {
    if (std::is_same_v<real, double>) device_.require_double();
    device_.require_group(group_);
    const double bytes = static_cast<double>(required()) * sizeof(real);
    device_.require_memory(2 * bytes, bytes, case_.name);
    const auto ratio = [](double value) { return std::to_string(value); };
    Definitions macros = ladder::opencl::group_definitions<real>(group_);
    macros.insert(macros.end(), {{"has_corners", q == 27 ? "1" : "0"},
                                 {"rest_ratio", ratio(Direction<0, 0, 0>::ratio)},
                                 {"face_ratio", ratio(Direction<1, 0, 0>::ratio)},
                                 {"corner_ratio", ratio(Direction<1, 1, 1>::ratio)}});
    macros.insert(macros.end(), more.begin(), more.end());
    std::vector<std::string_view> all = {shared_source, ladder::opencl::common_text, moments_text};
    all.insert(all.end(), texts.begin(), texts.end());
    all.push_back(ladder::this_rung.kernel);
    return ladder::opencl::build(device_, all, macros);
  }

  [[nodiscard]] std::int64_t required() const { return lattice::required_span_size(numbers, extents_, strides_); }
  [[nodiscard]] Buffer<real> array() const { return {device_, static_cast<std::size_t>(required())}; }

  /// Places of the coefficients with these numbers.
  [[nodiscard]] lattice::Places places(std::initializer_list<int> coefficients) const {
    lattice::Places all{.extents = extents_, .strides = strides_, .access = {}};
    for (const int n : coefficients)
      all.access[all.q++] = {n, {}};
    return all;
  }
  [[nodiscard]] lattice::Places coefficients() const { return places({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}); }
  /// The mass of a cell is 1 + (3 k0 + k4 + k5 + k6) / (3 edge).
  [[nodiscard]] lattice::Places mass_terms() const { return places({0, 0, 0, 4, 5, 6}); }

  /// Copies the lattice's first plane to the others, so that there are `planes` alike; each copy doubles their number.
  void repeat_first_plane(std::int64_t planes) {
    const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(real); };
    for (int n = 0; n < numbers; ++n)
      for (std::int64_t z = 1; z < planes; z *= 2)
        LADDER_CL(device_.queue.enqueueCopyBuffer(from_.handle(), from_.handle(), bytes(n * strides_.q),
                                                  bytes(n * strides_.q + z * strides_.z),
                                                  bytes(std::min(z, planes - z) * strides_.z)));
  }

  /// Calls convert(values in `from`, values in `to`) for each cell.
  static void for_each_cell(const ladder::Populations& from, ladder::Populations& to, void (*convert)(const double*, double*)) {
    ladder::in_parts(from.cells(), ladder::worth_a_thread / q, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        double old[q], converted[q];
        for (int n = 0; n < from.q; ++n)
          old[n] = from.at(n, cell);
        convert(old, converted);
        for (int n = 0; n < to.q; ++n)
          to.at(n, cell) = converted[n];
      }
    });
  }

  const cl::Program program_;
  Buffer<real> from_, to_;
  lattice::opencl::Transfer<real> transfer_{device_, coefficients(), {}}, mass_{device_, mass_terms(), {}};
};

/// The shape of a work-group's tile.
struct TileShape {
  int columns, rows;

  [[nodiscard]] Shape group() const { return {static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 1}; }
};
/// Tiles with at least as many work-items as their halo ring has cells.
inline constexpr TileShape tile_shapes[] = {{64, 4}, {32, 8}, {32, 6}, {32, 4}, {16, 8}, {16, 6}};

/// The tile that the tuning selects; `own` if it selects none.
inline TileShape tile_shape(const ladder::Tuning& tuning, TileShape own) {
  return tuning.at("columns") == 0 ? own : TileShape{tuning.at("columns"), tuning.at("rows")};
}

/// Tunables of the rungs that march: one of the tile shapes, and the length of a segment.
inline std::vector<ladder::Tunable> march_tunables() {
  return {{.name = "columns",
           .meaning = "columns of cells per work-group; 0: a shape that fits in 48 KiB of local memory",
           .values = {0, 16, 32, 64},
           .initial = 0},
          {.name = "rows",
           .meaning = "rows of cells per work-group; 0: a shape that fits in 48 KiB of local memory",
           .values = {0, 4, 6, 8},
           .initial = 0},
          {.name = "planes",
           .meaning = "planes that a work-group updates; it also reads some at either end",
           .values = {8, 16, 32, 64, 128, 256},
           .initial = 64}};
}
inline std::vector<ladder::Constraint> march_constraints() {
  std::string accepted = "columns x rows is 0 x 0";
  for (const TileShape& shape : tile_shapes)
    accepted += ", " + std::to_string(shape.columns) + " x " + std::to_string(shape.rows);
  return {{accepted, [](const ladder::Tuning& t) {
             const int columns = t.at("columns"), rows = t.at("rows");
             return (columns == 0 && rows == 0) || std::ranges::any_of(tile_shapes, [&](const TileShape& shape) {
                      return shape.columns == columns && shape.rows == rows;
                    });
           }}};
}

/// Base of solvers whose kernel `march` takes `steps` steps per launch. The tunables are march_tunables().
template <int steps, class real>
class Marching : public LatticePair<real> {
 protected:
  /// `own`: the tile if the tuning selects none.
  Marching(const Case& c, const ladder::Tuning& tuning, TileShape own)
      : Marching(c, tile_shape(tuning, own), tuning.at("planes")) {}

  void pass() { this->launch(march_, items_); }

 private:
  static constexpr int margin = steps - 1;  ///< cells on each side of a tile that other work-groups write

  Marching(const Case& c, TileShape shape, int planes)
      : LatticePair<real>(c, shape.group(), {tile_text},
                          {{"columns", std::to_string(shape.columns)}, {"rows", std::to_string(shape.rows)}}),
        items_{parts(c.nx, shape.columns - 2 * margin) * parts(c.ny, shape.rows - 2 * margin) * shape.group().x,
               parts(c.nz, planes)},
        march_(this->kernel("march", {{"planes", planes}})) {}

  static std::size_t parts(std::int64_t n, int size) { return static_cast<std::size_t>((n + size - 1) / size); }

  const Shape items_;
  Kernel march_;
};

/// Ten values read and written per pass of `steps` steps. Each segment also reads planes at either end. The cells around a tile
/// come from a cache.
template <int steps>
std::vector<ladder::Traffic> march_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double segments = (c.nz + tuning.at("planes") - 1) / tuning.at("planes");
  return {{numbers * real / steps * (1 + 2 * steps * segments / c.nz), numbers * real / steps}};
}

}  // namespace regularized
