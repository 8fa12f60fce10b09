#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "backends/cuda/vectors.hpp"
#include "backends/mpi+cuda/peers.hpp"
#include "variants/d2q37/cuda/columns.hpp"
#include "variants/lattice/cuda/borders.hpp"

/// Columns of the lattice, one strip of them per process and GPU, with halos as wide as the distance that a population moves in
/// a step. Here `Strip`, `Border` and `Borders` count columns instead of rows: south is west, and north is east.
namespace d2q37 {

using lattice::Strip;
using lattice::cuda::Borders;

/// The columns of a process. @throws ladder::Refused if it has fewer than a halo
inline Strip columns_of(const Case& c, int rank = ladder::team().rank()) {
  constexpr int depth = Lattice::reach;
  const int size = ladder::team().size();
  if (size > 1 && (c.nx / size < depth || c.nx < (c.nx + size - 1) / size + 2 * depth))
    throw ladder::Refused(ladder::Reason::too_large,
                          std::to_string(size) + " processes are too many for " + std::to_string(c.nx) +
                              " columns; accepted: strips that are no narrower than a halo, and halos that do not meet");
  const ladder::Domain domain(c.grid(), {size, 1, 1}, depth);
  const ladder::Domain::Part& part = domain.parts()[static_cast<std::size_t>(rank)];
  const auto first = static_cast<int>(part.box.origin[0] - part.with_halo.origin[0]);
  return {.own = part.box,
          .with_halo = part.with_halo,
          .first = first,
          .last = first + static_cast<int>(part.box.extent[0]) - 1,
          .north = (rank + 1) % size,
          .south = (rank + size - 1) % size,
          .fluid_cells = c.fluid_cells()};
}

/// Offsets, within a slot, of the cells from which the populations of the cell at column x and row n come.
struct ColumnSources {
  int columns[2 * D2Q37_REACH + 1], rows[2 * D2Q37_REACH + 1];  ///< indexed by reach + c

  __device__ ColumnSources(int x, int n, const Columns<0>& c) {
#pragma unroll
    for (int k = -D2Q37_REACH; k <= D2Q37_REACH; ++k) {
      columns[D2Q37_REACH + k] = wrapped(x - k, c.nx) * c.pitch;
      rows[D2Q37_REACH + k] = wrapped(wrapped(n - k, c.ny) + c.bottom, c.ny);
    }
  }
  __device__ int operator()(int i) const { return columns[D2Q37_REACH + d2q37_cx[i]] + rows[D2Q37_REACH + d2q37_cy[i]]; }
  __device__ int own() const { return columns[D2Q37_REACH] + rows[D2Q37_REACH]; }
};

/// Arguments of a kernel that advances by one step: population arrays [x][pitch] before and after the step.
template <class real>
struct ColumnStep {
  Arrays<q, const real> f;
  Arrays<q, real> g;
  Columns<0> c;
  Relaxation<real> relaxation;
};

/// Fetches the populations of the cell at column x and row n. The second function is for rows at a wall: it reverses
/// populations that would come from beyond the wall and sets the wall's state.
template <class real>
__device__ void stream(const ColumnStep<real>& step, const ColumnSources& from, real* f) {
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = step.f.of[i][from(i)];
}
template <class real>
__device__ void stream_at_wall(const ColumnStep<real>& step, const ColumnSources& from, int x, int n, real* f) {
  const Columns<0>& c = step.c;
  const bool is_top = n >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int rows = is_top ? c.ny - 1 - n : n;
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = wall.turns(i, rows) ? step.f.of[d2q37_opposite[i]][c.at(x, wall.row(wall.source(i, rows), c.ny))]
                               : step.f.of[i][from(i)];
  d2q37_wall(f, step.relaxation.wall_speed, step.relaxation.wall_theta[is_top]);
}

/// A lattice of columns, f[37][x][pitch], padded to whole lines.
template <class real>
class PopulationColumns : public lattice::cuda::Solver<Model, real> {
  using Base = lattice::cuda::Solver<Model, real>;

 protected:
  PopulationColumns(const Case& c, Shape block)
      : Base(lattice::numbered<std::int32_t>(c), block, strides(c)),
        columns_{
            c.nx, c.ny, static_cast<int>(this->strides_.x), std::max(c.bottom_row(), 0), c.bottom_row() >= 0, this->strides_.q},
        relaxation_(c.template relaxation<real>()) {}

  [[nodiscard]] ColumnStep<real> step() {
    const auto slot = static_cast<std::size_t>(columns_.slot);
    return {Arrays<q, const real>::from(this->f(), slot), Arrays<q, real>::from(this->g(), slot), columns_, relaxation_};
  }

  const Columns<0> columns_;
  const Relaxation<real> relaxation_;

 private:
  static lattice::Strides strides(const Case& c) {
    constexpr int line = 128 / sizeof(real);
    const std::int64_t pitch = (std::int64_t{c.ny} + line - 1) / line * line, slot = c.nx * pitch;
    return {.origin = 0, .x = pitch, .y = 1, .z = slot, .q = slot};
  }
};

/// Base of the rungs: columns on this process's GPU, whose kernels also write to the halos on the neighbours' GPUs.
template <class real>
class ColumnRing : public lattice::StripState<Model, PopulationColumns<real>> {
  using Base = lattice::StripState<Model, PopulationColumns<real>>;

 protected:
  using Base::strip_;

  ColumnRing(const Case& c, Shape block) : Base(without_reaction(c), strip_on_device(c), block) {
    if (strip_.has_halo()) links_.emplace(*this, c);
  }

  /// A launch over the own columns: one thread per cell, blocks along y.
  [[nodiscard]] Launch over_own_columns() const {
    return over(this->device_, {static_cast<std::size_t>(this->columns_.ny), static_cast<std::size_t>(strip_.rows())},
                this->block_);
  }

  /// Fills the neighbours' halos with the own columns that the next step reads.
  void fill_halos() {
    if (!links_) return;
    const Borders<real> borders = borders_of(links_->is_odd ? links_->odd : links_->even);
    const std::size_t pitch = static_cast<std::size_t>(this->columns_.pitch);
    for (const auto& to : borders.of)
      for (std::size_t i = 0; i < q; ++i)
        LADDER_CUDA(cudaMemcpyAsync(to.lattice + i * to.plane + (to.first + to.shift) * pitch,
                                    this->f() + i * static_cast<std::size_t>(this->columns_.slot) + to.first * pitch,
                                    Lattice::reach * pitch * sizeof(real), cudaMemcpyDefault, this->device_.stream()));
    links_->ring.meet();
  }

  /// Returns where a step writes its borders.
  [[nodiscard]] Borders<real> borders() const {
    return links_ ? borders_of(links_->is_odd ? links_->even : links_->odd) : Borders<real>{};
  }

  /// Ends a step; the next one starts when the neighbours have ended theirs.
  void meet() {
    this->swap_lattices();
    if (!links_) return;
    links_->ring.meet();
    links_->is_odd = !links_->is_odd;
  }

 private:
  /// Connects a strip with its neighbours.
  struct Links {
    Links(ColumnRing& solver, const Case& c)
        : west(columns_of(c, solver.strip_.south)),
          east(columns_of(c, solver.strip_.north)),
          even(solver.f(), {solver.strip_.south, solver.strip_.north}),
          odd(solver.g(), {solver.strip_.south, solver.strip_.north}),
          ring(solver.device_, solver.strip_.south, solver.strip_.north) {}

    const Strip west, east;
    const ladder::cuda::Shared<real> even, odd;
    ladder::cuda::Ring ring;
    bool is_odd = false;  ///< whether the next step reads the odd lattices
  };

  static Strip strip_on_device(const Case& c) {
    ladder::cuda::choose_own_device();
    return columns_of(c);
  }

  [[nodiscard]] Borders<real> borders_of(const ladder::cuda::Shared<real>& lattices) const {
    constexpr int depth = Lattice::reach;
    const auto plane = [&](const Strip& strip) {
      return static_cast<std::size_t>(strip.with_halo.extent[0]) * static_cast<std::size_t>(this->columns_.pitch);
    };
    const Strip &west = links_->west, &east = links_->east;
    return {{{strip_.first, strip_.first + depth - 1, west.last + 1 - strip_.first, plane(west), lattices.of(strip_.south)},
             {strip_.last + 1 - depth, strip_.last, east.first - 1 - strip_.last, plane(east), lattices.of(strip_.north)}}};
  }

  std::optional<Links> links_;
};

}  // namespace d2q37
