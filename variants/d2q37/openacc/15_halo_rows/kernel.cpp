// Idea:    halo rows: columns have halo cells at both ends, so that populations stream from constant offsets. If walls bound
//          the lattice, the values in halo rows are never used. Collide has no heat source
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch], columns along y, with three halo rows at each end; two copies of
//          the lattice
// Traffic: stream and collide each read and write 37 values; so do comm for six columns (and for six rows if there are no
//          walls) and bc for six rows
// Source:  Calore et al., section 4: halo columns and rows surround the lattice
// Bound:   as for 01_phases
#include "variants/d2q37/openacc/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = D2Q37_REACH;

/// A lattice [slot][frame + nx + frame][pitch]. Each column consists of `lead` elements, the last `frame` of which are halo
/// cells, then ny cells, then another `frame` halo cells.
struct Frames {
  int nx, ny, pitch;  ///< columns, rows, elements from one column to the next
  int lead;           ///< elements of a column before its first cell
  int bottom;         ///< lattice row next to the bottom wall; 0 without walls
  bool walls;
  std::int64_t slot;  ///< elements from one slot to the next

  /// The lattice of a case. Each column's first cell is aligned to a 128-byte line, which holds `line` elements.
  Frames(const Case& c, int line)
      : nx(c.nx),
        ny(c.ny),
        pitch((line + c.ny + frame + line - 1) / line * line),
        lead(line),
        bottom(std::max(c.bottom_row(), 0)),
        walls(c.bottom_row() >= 0),
        slot((2 * frame + std::int64_t{c.nx}) * pitch) {}

  /// Index within a slot of the cell at column x and row y of the lattice; each may lie up to three cells beyond either end.
  [[nodiscard, gnu::always_inline]] int at(int x, int y) const { return (frame + x) * pitch + lead + y; }

  [[nodiscard]] lattice::Strides strides() const { return {.origin = at(0, 0), .x = pitch, .y = 1, .z = slot, .q = slot}; }
};

/// @throws ladder::Unavailable if the case has a reaction
const Case& without_gas_phase(const Case& c) {
  if (!c.is_reactive()) return c;
  throw ladder::Unavailable(c.name + ": a reaction needs a separate phase to compute velocities; this rung has none",
                            ladder::Reason::no_such_case);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const double rows = c.bottom_row() == 0 ? 0 : 2.0 * frame / c.ny * (1 + 2.0 * frame / c.nx);
  std::vector<ladder::Traffic> all = phase_traffic(real, c, frame);
  all[0].read += 37 * rows * real;
  all[0].write += 37 * rows * real;
  return all;
}

/// Fills the halo columns, each from the opposite end of the lattice.
template <class real>
void copy_columns(real* f, const Frames& frames) {
  const Frames c = frames;
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(32) deviceptr(f) firstprivate(c) async(1)
  for (int i = 0; i < q; ++i)
    for (int k = 0; k < 2 * frame; ++k) {
      const int to = k < frame ? k - frame : c.nx + k - frame, from = k < frame ? to + c.nx : to - c.nx;
#pragma acc loop worker vector
      for (int y = 0; y < c.ny; ++y)
        f[i * c.slot + c.at(to, y)] = f[i * c.slot + c.at(from, y)];
    }
}

/// Fills the halo rows, including the corners, each from the opposite end. Must run after copy_columns().
template <class real>
void copy_rows(real* f, const Frames& frames) {
  const Frames c = frames;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f) firstprivate(c) async(1)
  for (int i = 0; i < q; ++i)
    for (int x = -frame; x < c.nx + frame; ++x)
#pragma GCC unroll 6
      for (int k = 0; k < 2 * frame; ++k) {
        const int to = k < frame ? k - frame : c.ny + k - frame, from = k < frame ? to + c.ny : to - c.ny;
        f[i * c.slot + c.at(x, to)] = f[i * c.slot + c.at(x, from)];
      }
}

/// Propagate, version v1: gathers the populations that arrive in each cell, one cell after the other.
template <class real>
void stream_cells(const real* from, real* to, const Frames& columns) {
  const Frames c = columns;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int y = 0; y < c.ny; ++y) {
      const int cell = c.at(x, y);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + cell] = from[i * c.slot + cell - (cx(i) * c.pitch + cy(i))];
    }
}

/// Sets the three rows at one wall: `from` is the lattice before streaming, `to` after it.
template <class real>
void set_wall_rows(const real* from, real* to, const Frames& columns, const Relaxation<real>& relaxation, bool is_top,
                   int queue) {
  const Frames c = columns;
  const real speed = relaxation.wall_speed, theta = relaxation.wall_theta[is_top ? 1 : 0];
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c) \
    async(queue) wait(1)
  for (int x = 0; x < c.nx; ++x)
    for (int n = 0; n < Case::wall_rows; ++n) {
      const Wall wall = wall_of(is_top, c.bottom, c.ny);
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

/// Projects and relaxes the populations in `from`, and writes them to `to`: version v1, loops that read coefficients from
/// memory.
template <class real>
void collide_cells(const real* from, real* to, const Frames& columns, const Relaxation<real>& relaxation,
                   const Projection<real>* tables) {
  const Frames c = columns;
  const Relaxation<real> r = relaxation;
#pragma acc parallel loop gang num_workers(4) vector_length(32) deviceptr(from, to, tables) firstprivate(c, r) async(1)
  for (int x = 0; x < c.nx; ++x)
#pragma acc loop worker vector
    for (int y = 0; y < c.ny; ++y) {
      const int cell = c.at(x, y);
      real f[q], m[moments];
#pragma GCC unroll 1
      for (int i = 0; i < q; ++i)
        f[i] = from[i * c.slot + cell];
#pragma GCC unroll 1
      for (int k = 0; k < moments; ++k) {
        real sum = 0;
#pragma GCC unroll 1
        for (int i = q - 1; i >= 0; --i)
          sum += tables->project[k][i] * f[i];
        m[k] = sum;
      }
      d2q37_relax(m, r.omega, r.kick, r.warm);
#pragma GCC unroll 1
      for (int i = 0; i < q; ++i) {
        real sum = 0;
#pragma GCC unroll 1
        for (int k = moments - 1; k >= 0; --k)
          sum += tables->expand[i][k] * m[k];
        to[i * c.slot + cell] = sum;
      }
    }
}

template <class real>
class Phases final : public lattice::openacc::Solver<Model, real>, public ladder::Phased {
 public:
  Phases(const Case& c, const ladder::Tuning&) : Phases(without_gas_phase(c), Frames(c, 128 / sizeof(real))) {}

  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

  std::vector<ladder::Phase> phases() override {
    return {{"comm", [this] { comm(); }},
            {"stream", [this] { stream_cells(this->f(), this->g(), frames_); }},
            {"bc", [this] { bc(); }},
            {"collide", [this] { collide_cells(this->g(), this->f(), frames_, relaxation_, tables_.data()); }}};
  }

 private:
  Phases(const Case& c, const Frames& frames) : lattice::openacc::Solver<Model, real>(c, frames.strides()), frames_(frames) {
    const Projection<real> tables;
    tables_.write({&tables, 1});
  }

  /// Fills the halo. Skips its rows if walls bound the lattice: bc() then replaces every population that streams from them.
  void comm() {
    copy_columns(this->f(), frames_);
    if (!frames_.walls || frames_.bottom != 0) copy_rows(this->f(), frames_);
  }

  /// Sets the rows at the walls in g(), if there are walls, with two concurrent loops.
  void bc() {
    if (!frames_.walls) return;
    set_wall_rows(this->f(), this->g(), frames_, relaxation_, true, 2);
    set_wall_rows(this->f(), this->g(), frames_, relaxation_, false, 1);
#pragma acc wait(2) async(1)
  }

  const Frames frames_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  Buffer<Projection<real>> tables_{this->device_, 1};
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openacc/01_phases",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
