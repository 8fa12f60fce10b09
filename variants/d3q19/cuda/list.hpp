#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "variants/d3q19/cuda/solver.hpp"

/// A list of the fluid cells in place of the grid: the kernels' view of it, and its setup.
namespace d3q19 {

/// Arguments of a step.
template <class real>
struct ListStep {
  Arrays<19, real> f;                    ///< written: [index in the list]
  Arrays<19, const real> f_temp;         ///< read
  Arrays<19, const std::uint32_t> from;  ///< [1 to 18][index of a fluid cell]: index of the cell from which population i comes
  ReadOnly<std::uint8_t> kinds;          ///< of the boundary cells
  unsigned fluid;                        ///< number of fluid cells; larger indices are boundary cells
  real omega, omega_minus, speed;
};

/// Writes the returned populations of fluid cell k, whose populations are `site`, into the boundary cells next to it.
template <class real>
__device__ void return_populations(const ListStep<real>& step, const real* site, unsigned k) {
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const int back = d3q19_opposite[i];
    const unsigned n = __ldg(step.from.of[back] + k);
    if (n >= step.fluid) step.f.of[back][n] = d3q19_returned(site, i, step.kinds[n - step.fluid], step.speed);
  }
}

/// The same for all fluid cells of an initial state, from the populations in f, one thread per cell.
template <class real>
__global__ void fill_boundaries(ListStep<real> step) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= step.fluid) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f.of[i][k];
  return_populations(step, site, k);
}

/// Fills from[i - 1][k] for the fluid cells, whose grid indices are `cells`; numbers[n] is the list index of grid cell n.
inline __global__ void make_table(const std::uint32_t* cells, const std::uint32_t* numbers, Sides box, unsigned fluid,
                                  std::uint32_t* from) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= fluid) return;
  const int row = static_cast<int>(cells[k] / box.nx), x = static_cast<int>(cells[k] % box.nx);
#pragma unroll
  for (int i = 1; i < 19; ++i)
    from[(i - 1) * std::size_t{fluid} + k] =
        numbers[wrapped(x - d3q19_cx[i], row % box.ny - d3q19_cy[i], row / box.ny - d3q19_cz[i], box)];
}

/// The cells held in memory: fluid cells, then the boundary cells linked to them.
struct List {
  static constexpr std::uint32_t none = 0xffffffffu;

  explicit List(const Case& c) : numbers(static_cast<std::size_t>(c.cells()), none) {
    const std::vector<std::uint8_t> flags = d3q19::flags(c);
    for (std::size_t n = 0; n < flags.size(); ++n)
      if ((flags[n] & D3Q19_FLUID) != 0) add(n);
    fluid = static_cast<unsigned>(cells.size());
    const ladder::Box box{{}, c.grid()};
    for (unsigned k = 0; k < fluid; ++k) {
      if ((flags[cells[k]] & D3Q19_NEAR) == 0) continue;
      const auto [x, y, z] = box.place(cells[k]);
      for (int i = 1; i < q; ++i) {
        const auto n =
            static_cast<std::size_t>(box.number(ladder::wrapped(x + d3q19_cx[i], c.nx), ladder::wrapped(y + d3q19_cy[i], c.ny),
                                                ladder::wrapped(z + d3q19_cz[i], c.nz)));
        if (numbers[n] != none) continue;
        add(n);
        kinds.push_back(flags[n]);
      }
    }
  }

  void add(std::size_t cell) {
    numbers[cell] = static_cast<std::uint32_t>(cells.size());
    cells.push_back(static_cast<std::uint32_t>(cell));
  }

  std::vector<std::uint32_t> numbers;  ///< list index of each grid cell; `none` if it is not in the list
  std::vector<std::uint32_t> cells;    ///< grid indices of the list's cells
  std::vector<std::uint8_t> kinds;     ///< of the boundary cells
  unsigned fluid = 0;
};

/// Base of solvers that store the cells of a List.
template <class real>
class ListSolver : public Solver {
 protected:
  ListSolver(const Case& c, const ladder::Tuning& tuning)
      : case_(lattice::numbered<std::int32_t>(c)),
        list_(c),
        block_(row_block(tuning)),
        f_(array()),
        g_(array()),
        from_(device_, std::size_t{18} * list_.fluid),
        kinds_(device_, std::max<std::size_t>(1, list_.kinds.size())) {
    Buffer<std::uint32_t> cells(device_, list_.cells.size()), numbers(device_, list_.numbers.size());
    cells.write(list_.cells);
    numbers.write(list_.numbers);
    list_.cells = {};
    if (!list_.kinds.empty()) kinds_.write(list_.kinds);
    over_(make_table, cells.data(), numbers.data(), Sides{c.nx, c.ny, c.nz}, list_.fluid, from_.data());
    device_.wait();
    lattice::load_initial<Model>(c, [&](const ladder::Populations& state) { put(state); });
    over_(fill_boundaries<real>, step(f_));
  }

  /// Arguments of the next step.
  [[nodiscard]] ListStep<real> step() { return step(g_); }
  /// Makes the result of the last queued step the current state.
  void swap_lattices() { std::swap(f_, g_); }

 public:
  void wait() override { device_.wait(); }
  double conserved() override { return lattice::cuda::sum<real>(device_, f_.data(), places()); }

  void store(ladder::Populations& out) override {
    for (std::int64_t z = 0; z < out.box.extent[2]; ++z) {
      const ladder::Populations part = stored(out.box, z);
      for_each_cell(out.box, z, [&](std::int64_t n, std::uint32_t number) {
        for (int i = 0; i < q; ++i)
          out.at(i, n) = number < list_.fluid ? part.at(i, number - part.box.origin[0]) : Lattice::weight(i);
      });
    }
  }

  void load(const ladder::Populations& in) override {
    put(in);
    over_(fill_boundaries<real>, step(f_));
  }

 private:
  /// Elements from one direction to the next: whole cache lines.
  [[nodiscard]] std::size_t apart() const { return (list_.fluid + list_.kinds.size() + 31) / 32 * 32; }

  /// A lattice filled with NaN.
  [[nodiscard]] Buffer<real> array() const {
    device_.require_block(block_);
    device_.require_memory(2. * q * static_cast<double>(apart()) * sizeof(real) + 18. * list_.fluid * sizeof(std::uint32_t),
                           case_.name);
    return {device_, q * apart()};
  }

  /// Locations of the populations of the list's fluid cells, treated as one row.
  [[nodiscard]] lattice::Places places() const {
    return lattice::places<Lattice, lattice::Pull>({list_.fluid, 1, 1}, {0, 1, 0, 0, static_cast<std::int64_t>(apart())}, 0);
  }

  /// Calls visit(n, number) for each cell in a plane of a box, on several threads: n is its index in the box, `number` its
  /// index in the list.
  template <class Visit>
  void for_each_cell(const ladder::Box& box, std::int64_t z, Visit visit) const {
    const std::int64_t plane = box.number(0, 0, z);
    ladder::in_parts(box.number(0, 0, z + 1) - plane, ladder::worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = plane + begin; n < plane + end; ++n)
        visit(n, number_of(box, n));
    });
  }

  /// The list index of cell n of a box.
  [[nodiscard]] std::uint32_t number_of(const ladder::Box& box, std::int64_t n) const {
    const auto [x, y, z] = box.place(n);
    return list_.numbers[static_cast<std::size_t>(ladder::Box{{}, case_.grid()}.number(x, y, z))];
  }

  /// Memory for the list's fluid cells from the first to the last one in a plane of a box. Their indices ascend along the box.
  [[nodiscard]] ladder::Populations part_of(const ladder::Box& box, std::int64_t z) const {
    std::int64_t n = box.number(0, 0, z), end = box.number(0, 0, z + 1);
    while (n < end && number_of(box, n) >= list_.fluid)
      ++n;
    while (n < end && number_of(box, end - 1) >= list_.fluid)
      --end;
    if (n == end) return {q, {{}, {0, 1, 1}}};
    const std::int64_t first = number_of(box, n);
    return {q, {{first, 0, 0}, {number_of(box, end - 1) + 1 - first, 1, 1}}};
  }

  /// The populations of the same cells.
  [[nodiscard]] ladder::Populations stored(const ladder::Box& box, std::int64_t z) const {
    ladder::Populations part = part_of(box, z);
    if (part.cells() > 0) lattice::cuda::store<real>(device_, f_.data(), places(), part);
    return part;
  }

  /// Replaces the populations of a box's fluid cells.
  void put(const ladder::Populations& in) {
    const bool whole_rows = in.box.extent[0] == case_.nx;  // otherwise, other cells may lie between those of the box
    for (std::int64_t z = 0; z < in.box.extent[2]; ++z) {
      ladder::Populations part = whole_rows ? part_of(in.box, z) : stored(in.box, z);
      for_each_cell(in.box, z, [&](std::int64_t n, std::uint32_t number) {
        for (int i = 0; i < q && number < list_.fluid; ++i)
          part.at(i, number - part.box.origin[0]) = in.at(i, n);
      });
      if (part.cells() > 0) lattice::cuda::load<real>(device_, f_.data(), places(), part);
    }
  }

  /// Arguments of a step that writes `written`.
  [[nodiscard]] ListStep<real> step(Buffer<real>& written) {
    ListStep<real> step{.f = Arrays<19, real>::from(written.data(), apart()),
                        .f_temp = Arrays<19, const real>::from(f_.data(), apart()),
                        .from = {},
                        .kinds = kinds_.data(),
                        .fluid = list_.fluid,
                        .omega = static_cast<real>(case_.omega()),
                        .omega_minus = static_cast<real>(case_.omega_minus()),
                        .speed = static_cast<real>(case_.speed)};
    for (int i = 1; i < q; ++i)
      step.from.of[i] = from_.data() + (i - 1) * std::size_t{list_.fluid};
    return step;
  }

  const Case case_;
  const Device device_ = Device::select();
  List list_;
  const Shape block_;

 protected:
  const Launch over_ = over(device_, {list_.fluid, 1}, block_);

 private:
  Buffer<real> f_, g_;          ///< [19][apart()]
  Buffer<std::uint32_t> from_;  ///< [18][fluid]
  Buffer<std::uint8_t> kinds_;
};

}  // namespace d3q19
