// Idea:    published operation count: all 31 components of the Hermite tensors are computed, without using their symmetry
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read and write 37 values; so do comm for six columns and bc for six rows; a reaction reads
//          40 more and writes 3
// Source:  Calore et al., section 2: 7,600 operations per update; tensors.hpp
// Bound:   registers and the double-precision pipe in collide
#include "variants/d2q37/openacc/phases.hpp"
#include "variants/d2q37/tensors.hpp"

namespace d2q37 {
namespace {

constexpr int frame = D2Q37_REACH;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
}

/// Propagate, version v1: gathers the populations that arrive in each cell, one cell after the other.
template <class real>
void stream_cells(const real* from, real* to, const Columns<frame>& columns) {
  const Columns<frame> c = columns;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = 0; n < c.ny; ++n) {
      const int cell = c.at(x, n);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = from[i * c.slot + c.at(x - cx(i), n - cy(i))];
    }
}

/// Sets the three rows at one wall: `from` is the lattice before streaming, `to` after it.
template <class real>
void set_wall_rows(const real* from, real* to, const Columns<frame>& columns, const Relaxation<real>& relaxation, bool is_top,
                   int queue) {
  const Columns<frame> c = columns;
  const real speed = relaxation.wall_speed, theta = relaxation.wall_theta[is_top ? 1 : 0];
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) \
    async(queue) wait(1)
  for (int x = 0; x < c.nx; ++x)
    for (int n = 0; n < Case::wall_rows; ++n) {
      const Wall wall = wall_of(is_top, 0, c.ny);
      const int cell = c.at(x, wall.row(n, c.ny));
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] =
            wall.turns(i, n) ? from[opposite(i) * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))] : to[i * c.slot + cell];
      d2q37_wall(f, speed, theta);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = f[i];
    }
}

/// Applies collide_tensors() to `from` and writes the result to `to`. Loops are unrolled; coefficients are in memory.
template <class real>
void collide_cells(const real* from, real* to, const real* gas, const Columns<frame>& columns,
                   const Relaxation<real>& relaxation, const Heat<real>& heats, const Tensors* table, const Tensors* same) {
  const Columns<frame> c = columns;
  const Relaxation<real> r = relaxation;
  const Heat<real> heat = heats;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to, gas, table, same) firstprivate(c, r, heat) \
    async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int n = 0; n < c.ny; ++n) {
      const int cell = c.at(x, n);
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = from[i * c.slot + cell];
      collide_tensors(f, *table, *same, r.omega, r.kick, r.warm + heat(gas, c, x, n));
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = f[i];
    }
}

template <class real>
class Phases final : public PhaseSolver<real, frame> {
 public:
  Phases(const Case& c, const ladder::Tuning&) : PhaseSolver<real, frame>(c) {
    const Tensors table = tensors();
    table_.write({&table, 1});
  }

 private:
  void stream() override { stream_cells(this->f(), this->g(), this->columns_); }
  void bc(bool is_top, int queue) override {
    set_wall_rows(this->f(), this->g(), this->columns_, this->relaxation_, is_top, queue);
  }
  void collide() override {
    collide_cells(this->g(), this->f(), this->gas_.data(), this->columns_, this->relaxation_, this->heat_, table_.data(),
                  table_.data());
  }

  Buffer<Tensors> table_{this->device_, 1};
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/03_unrolled",
                                 .traffic = d2q37::traffic,
                                 .collision = "tensors",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
