#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "backends/mpi+openacc/own_device.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/openacc/phases.hpp"
#include "variants/lattice/strip.hpp"

/// Shared by these rungs: strips of columns in a ring of processes, as in Calore et al., section 4. Each strip is on the device
/// of one process; its frames hold the outermost three columns of both neighbours. A step streams and collides in one loop,
/// with the factored collision (openacc/07_factored). The rungs contain the exchange of the frames.
namespace d2q37 {

constexpr int frame = Lattice::reach;

template <class real>
const MPI_Datatype mpi_type = sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;

/// Columns [first, last) of a strip; may be empty.
struct Span {
  int first, last;
};

/// Updates the rows at the walls of some columns: three at the bottom, three at the top.
template <class real>
void update_walls(const real* from, real* to, const Columns<frame>& columns, const Relaxation<real>& relaxation,
                  const Span& span, int queue) {
  const Columns<frame> c = columns;
  const Relaxation<real> r = relaxation;
  const int first = span.first, last = span.last;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) \
    firstprivate(c, r) async(queue)
  for (int x = first; x < last; ++x)
    for (int row = 0; row < 2 * Case::wall_rows; ++row) {
      const bool is_top = row >= Case::wall_rows;
      const Wall wall = wall_of(is_top, 0, c.ny);
      const int n = is_top ? row - Case::wall_rows : row;  // counted from the wall
      const int y = wall.row(n, c.ny);
      real f[q];
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        f[i] = wall.turns(i, n) ? from[opposite(i) * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))]
                                : from[i * c.slot + c.at(x - cx(i), y - cy(i))];
      d2q37_wall(f, r.wall_speed, is_top ? r.wall_theta[1] : r.wall_theta[0]);
      d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
      for (int i = 0; i < q; ++i)
        to[i * c.slot + c.at(x, y)] = f[i];
    }
}

/// Updates the rows of some columns that are not at walls. A gang updates a column or, at a border, a part of one: otherwise
/// three gangs would update a border.
template <class real>
void update_rows(const real* from, real* to, const Columns<frame>& columns, const Relaxation<real>& relaxation,
                 const Span& span, int queue) {
  const Columns<frame> c = columns;
  const Relaxation<real> r = relaxation;
  const int first = span.first, last = span.last, begin = c.first_inner_row(), end = c.last_inner_row();
  const int height = last - first > frame ? end - begin : 128;
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(32) deviceptr(from, to) firstprivate(c, r) async(queue)
  for (int x = first; x < last; ++x)
    for (int row = begin; row < end; row += height) {
      const int top = row + height < end ? row + height : end;
#pragma acc loop worker vector
      for (int n = row; n < top; ++n) {
        real f[q];
#pragma GCC unroll 37
        for (int i = 0; i < q; ++i)
          f[i] = from[i * c.slot + c.at(x - cx(i), n - cy(i))];
        d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma GCC unroll 37
        for (int i = 0; i < q; ++i)
          to[i * c.slot + c.at(x, n)] = f[i];
      }
    }
}

/// The columns of this process, on a GPU that it does not share if there are enough of them. Halos are in the frames, so the
/// strip has none. @throws ladder::Refused if a strip would be narrower than a frame
inline lattice::Strip own_columns(const Case& c) {
  const int rank = ladder::mpi::rank(), size = ladder::mpi::size();
  if (c.nx / size < frame)
    throw ladder::Refused(ladder::Reason::too_large, std::to_string(size) + " processes with halos of " +
                                                         std::to_string(frame) + " columns are too many for " +
                                                         std::to_string(c.nx) +
                                                         " columns; accepted: strips that are no narrower than a halo");
  ladder::openacc::choose_own_device();
  const ladder::Domain domain(c.grid(), {size, 1, 1}, 0);
  const ladder::Box& own = domain.parts()[static_cast<std::size_t>(rank)].box;
  return {.own = own, .with_halo = own, .fluid_cells = c.fluid_cells()};
}

/// Base of these rungs: a strip on this process's device.
template <class real>
class StripSolver : public lattice::StripState<Model, lattice::openacc::Solver<Model, real>> {
  using Loops = lattice::openacc::Solver<Model, real>;
  using Base = lattice::StripState<Model, Loops>;

 public:
  double conserved() override { return ladder::team().sum(Loops::conserved()); }

 protected:
  explicit StripSolver(const Case& c) : StripSolver(c, own_columns(without_reaction(c))) {}

  /// The columns that read a frame, and those between them. In strips of up to six columns, the latter are empty.
  [[nodiscard]] Span left() const { return {0, std::min(frame, columns_.nx)}; }
  [[nodiscard]] Span bulk() const { return {frame, columns_.nx - frame}; }
  [[nodiscard]] Span right() const { return {std::max(frame, columns_.nx - frame), columns_.nx}; }

  /// Updates some columns.
  void update(const Span& span, int queue) {
    if (span.first >= span.last) return;
    if (columns_.walls) update_walls(this->f(), this->g(), columns_, relaxation_, span, queue);
    update_rows(this->f(), this->g(), columns_, relaxation_, span, queue);
  }

  /// Whether this process is the only one; the strip is then its own neighbour.
  [[nodiscard]] bool is_alone() const { return ladder::mpi::size() == 1; }

  const Columns<frame> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  /// Ranks of the neighbours.
  const int west_ = (ladder::mpi::rank() + ladder::mpi::size() - 1) % ladder::mpi::size();
  const int east_ = (ladder::mpi::rank() + 1) % ladder::mpi::size();

 private:
  StripSolver(const Case& c, const lattice::Strip& strip)
      : StripSolver(c, strip, Columns<frame>(Model::part(c, strip.own), 128 / sizeof(real))) {}
  StripSolver(const Case& c, const lattice::Strip& strip, const Columns<frame>& columns)
      : Base(c, strip, columns.strides()), columns_(columns) {}
};

/// Base of the rungs that exchange the frames, update the columns at the borders and then the others, one after another on
/// queue 1.
template <class real>
class SequentialStrips : public StripSolver<real>, public ladder::Phased {
 public:
  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

  std::vector<ladder::Phase> phases() override {
    return {{"comm",
             [this] {
               if (this->is_alone())
                 copy_frames(this->f(), this->columns_, q);
               else
                 exchange();
             }},
            {"borders",
             [this] {
               this->update(this->left(), 1);
               this->update(this->right(), 1);
             }},
            {"bulk", [this] {
               this->update(this->bulk(), 1);
               this->swap_lattices();
             }}};
  }

 protected:
  using StripSolver<real>::StripSolver;

  /// Fills the frames of f() with the neighbours' columns.
  virtual void exchange() = 0;
};

}  // namespace d2q37
