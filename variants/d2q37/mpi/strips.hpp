#pragma once

#include <algorithm>
#include <array>

#include "backends/mpi/check.hpp"
#include "backends/mpi/datatype.hpp"
#include "backends/mpi/team.hpp"
#include "backends/simd/row_stream.hpp"
#include "backends/simd/vector.hpp"
#include "variants/d2q37/sources.hpp"
#include "variants/lattice/processor.hpp"
#include "variants/lattice/strip.hpp"

namespace d2q37 {

using lattice::Strip;

/// Base of the rungs of several processes: strips of rows, with halos of as many rows as a population moves in a step. Their
/// update is that of d2q37/openmp/09_streaming.
template <class real>
class StripSolver : public lattice::StripState<Model, lattice::ProcessorSolver<Model, real, lattice::Aligned>> {
  using Base = lattice::StripState<Model, lattice::ProcessorSolver<Model, real, lattice::Aligned>>;
  using Vector = ladder::Vector<real>;

 protected:
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::strip_;

  explicit StripSolver(const Case& c) : Base(without_reaction(c), Strip::of(c, Lattice::reach)) {
    for (int y = 0; y < case_.ny; ++y)
      this->initialize(y);
  }

  /// Makes a step of the own rows that read no halo; of those that do, at either border. If there is no halo, all are the
  /// former.
  void update_bulk() { update_rows(strip_.bulk()); }
  void update_borders() {
    for (const Strip::Rows& rows : strip_.borders())
      update_rows(rows);
  }

  /// The messages of an exchange: three rows of all directions to either neighbour, and from it.
  using Messages = std::array<MPI_Request, 4>;

  /// Begins to send the outer own rows to the neighbours, and to receive theirs as halos.
  [[nodiscard]] Messages begin_exchange() {
    const auto rows = [&](int y) { return f_.data() + layout_(0, 0, y); };
    const MPI_Comm world = ladder::mpi::world();
    Messages messages{};
    LADDER_MPI(MPI_Irecv(rows(strip_.first - Lattice::reach), 1, rows_, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(rows(strip_.last + 1), 1, rows_, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(rows(strip_.last + 1 - Lattice::reach), 1, rows_, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(rows(strip_.first), 1, rows_, strip_.south, 1, world, &messages[3]));
    return messages;
  }
  static void wait_for(Messages& messages) {
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
  }

 private:
  /// Makes a step of some rows.
  void update_rows(const Strip::Rows& rows) {
    for (int y = rows.first; y <= rows.last; ++y) {
      const WallRow place = wall_row(y, bottom_, case_.ny);
      if (place.n >= 0)
        update_row(y, place, [&](Vector* f) {
          d2q37_wall(f, Vector(relaxation_.wall_speed), Vector(relaxation_.wall_theta[place.is_top ? 1 : 0]));
        });
      else
        update_row(y, place, [](Vector*) {});
    }
  }

  /// Gathers the populations of each vector of a row, sets them to those of a wall with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc) {
    const int nx = case_.nx;
    const real* from[q];  // column 0 of the rows that populations come from
    int west[q];          // columns that they move
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      from[i] = f_.data() + layout_(source.i, 0, source.y);
      west[i] = source.west;
    }
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    const auto update_vector = [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from[i], x - west[i]);
      bc(f);
      d2q37_collide(f, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      to.write(x, [&](int i) { return f[i]; });
    };
    const auto inside = [](const real* row, int x) { return Vector::load(row + x); };
    // Lanes beyond either end of the row come from its other end; those after the last cell are never used.
    const auto at_ends = [nx](const real* row, int x) {
      real lanes[Vector::size];
      for (int lane = 0; lane < Vector::size; ++lane)
        lanes[lane] = row[lattice::wrapped(std::min(x + lane, nx + Lattice::reach - 1), nx)];
      return Vector::load(lanes);
    };
    for (int x = 0; x < nx; x += Vector::size)
      if (x < Lattice::reach || x + Vector::size + Lattice::reach > nx)
        update_vector(x, at_ends);
      else
        update_vector(x, inside);
    to.finish();
  }

  /// As many rows of all directions as a halo has.
  [[nodiscard]] MPI_Datatype rows_of_halo() const {
    const lattice::Strides strides = layout_.strides();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(q, static_cast<int>(Lattice::reach * strides.y), static_cast<int>(strides.q),
                               sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE, &type));
    return type;
  }

  const ladder::mpi::Datatype rows_{rows_of_halo()};
  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace d2q37
