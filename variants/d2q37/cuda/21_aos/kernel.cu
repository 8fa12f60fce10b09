// Idea:    array of structures, as a counter-example: adjacent threads access values that are 296 bytes apart
// Layout:  array of structures, f[nx][ny][37], columns along y; two copies of the lattice
// Traffic: stream and collide each read and write 37 values; so does bc for six rows
// Source:  Biferale et al., section 5, explains why the GPU code has one array per population
// Bound:   memory transactions: each warp access touches 32 sectors; the rest of each sector is useful only while cached
#include "variants/d2q37/cuda/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = 0;

/// @throws ladder::Unavailable if the case has a reaction
const Case& without_gas_phase(const Case& c) {
  if (!c.is_reactive()) return c;
  throw ladder::Unavailable(c.name + ": a reaction needs a separate phase to compute velocities; this rung has none",
                            ladder::Reason::no_such_case);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
}

__constant__ Projection<double> tables;

/// Index of population i of a cell, where Columns::at() returns the index of the cell.
__device__ __forceinline__ std::int64_t place(int i, int cell) { return std::int64_t{cell} * q + i; }

/// Gathers the populations that arrive in each cell, with periodic rows.
template <class real>
__global__ void __launch_bounds__(most_threads) stream_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[place(i, cell)] = l.from[place(i, c.at(x - d2q37_cx[i], n - d2q37_cy[i]))];
}

/// Sets the three rows at each wall, one thread per cell: `from` is the lattice before streaming, `to` after it.
template <class real>
__global__ void __launch_bounds__(most_threads) bc_phase(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const auto [x, n, y, wall] = own_wall_cell(c);
  if (x >= c.nx) return;
  const int cell = c.at(x, y);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] =
        wall.turns(i, n) ? l.from[place(d2q37_opposite[i], c.at(x, wall.row(wall.source(i, n), c.ny)))] : l.to[place(i, cell)];
  d2q37_wall(f, r.wall_speed, wall.is_top ? r.wall_theta[1] : r.wall_theta[0]);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[place(i, cell)] = f[i];
}

/// Projects and relaxes the populations in `from`, and writes them to `to`.
template <class real>
__global__ void __launch_bounds__(most_threads) collide_phase(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
  real f[q], m[moments];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = l.from[place(i, cell)];
#pragma unroll
  for (int k = 0; k < moments; ++k) {
    real sum = 0;
#pragma unroll
    for (int i = q - 1; i >= 0; --i)
      sum += tables.project[k][i] * f[i];
    m[k] = sum;
  }
  d2q37_relax(m, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i) {
    real sum = 0;
#pragma unroll
    for (int k = moments - 1; k >= 0; --k)
      sum += tables.expand[i][k] * m[k];
    l.to[place(i, cell)] = sum;
  }
}

template <class real>
class Phases final : public lattice::cuda::Solver<Model, real>, public ladder::Phased {
  using Base = lattice::cuda::Solver<Model, real>;

 public:
  Phases(const Case& c, const ladder::Tuning& tuning)
      : Base(lattice::numbered<std::int32_t>(without_gas_phase(c)), lattice::cuda::row_block(tuning), strides(c)) {
    prefer_shared(stream_phase<real>, tuning.at("shared"));
    prefer_shared(collide_phase<real>, tuning.at("shared"));
    const Projection<double> host = projection<double>();
    LADDER_CUDA(cudaMemcpyToSymbolAsync(tables, &host, sizeof host, 0, cudaMemcpyHostToDevice, this->device_.stream()));
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      stream();
      bc();
      collide();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {{"stream", [this] { stream(); }}, {"bc", [this] { bc(); }}, {"collide", [this] { collide(); }}};
  }

 private:
  static lattice::Strides strides(const Case& c) {
    const std::int64_t column = std::int64_t{c.ny} * q;
    return {.x = column, .y = q, .z = c.nx * column, .q = 1};
  }

  [[nodiscard]] Lattices<real, frame> lattices(bool is_forward) {
    const Columns<frame> columns = {this->case_.nx,
                                    this->case_.ny,
                                    this->case_.ny,
                                    std::max(this->case_.bottom_row(), 0),
                                    this->case_.bottom_row() >= 0,
                                    q};
    return is_forward ? Lattices<real, frame>{this->f(), this->g(), columns}
                      : Lattices<real, frame>{this->g(), this->f(), columns};
  }

  void stream() { over_cells_(stream_phase<real>, lattices(true)); }
  void bc() {
    if (this->case_.bottom_row() >= 0) over_walls_(bc_phase<real>, lattices(true), relaxation_);
  }
  void collide() { over_cells_(collide_phase<real>, lattices(false), relaxation_); }

  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Launch over_cells_{this->device_,
                           {this->case_.nx * covering({static_cast<std::size_t>(this->case_.ny), 1}, this->block_).x, 1},
                           this->block_};
  const Launch over_walls_ =
      over(this->device_, {2 * Case::wall_rows * static_cast<std::size_t>(this->case_.nx), 1}, this->block_);
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/04_periodic",
    .traffic = d2q37::traffic,
    .tunables = d2q37::column_tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Phases, d2q37::Model>,
};
