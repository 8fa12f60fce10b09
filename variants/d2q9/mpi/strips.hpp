#pragma once

#include <algorithm>

#include "backends/mpi/check.hpp"
#include "backends/mpi/datatype.hpp"
#include "backends/mpi/team.hpp"
#include "backends/simd/row_stream.hpp"
#include "backends/simd/vector.hpp"
#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

using ladder::mpi::Datatype;

/// The layout of a strip, whose rows wrap, and that of a block, which has a column of halo on either side.
template <bool halo_columns>
struct Columns {
  template <class L, class real>
  using Layout = lattice::Aligned<L, real>;
};
template <>
struct Columns<true> {
  template <class L, class real>
  using Layout = lattice::AlignedApart<L, real>;
};

/// MPI's name of a type of numbers.
template <class real>
MPI_Datatype number_type() {
  return sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/// Writes one row of each of `Rows` arrays with ordinary stores; the counterpart of ladder::RowStream.
template <class T, int Rows>
class RowStores {
 public:
  RowStores(T* first, std::int64_t stride) : first_(first), stride_(stride) {}

  template <class VectorOfRow>
  LADDER_INLINE void write(std::int64_t x, VectorOfRow vector) {
    for (int i = 0; i < Rows; ++i)
      vector(i).store_aligned(first_ + i * stride_ + x);
  }
  void finish() {}

 private:
  T* first_;
  std::int64_t stride_;
};

/// Base of the rungs of several processes: a strip or a block of the lattice, and the update of its rows. A step reads halos
/// that exchange() fills; own rows of the driven row's process are accelerated before that.
template <class real, template <class, int> class Writer = RowStores, bool halo_columns = false>
class StripSolver : public StripState<PairSolver<real, Columns<halo_columns>::template Layout>> {
  using Base = StripState<PairSolver<real, Columns<halo_columns>::template Layout>>;
  using Vector = ladder::Vector<real>;

 public:
  using typename Base::Lattice;

 protected:
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;

  /// The strip of a case that this process owns. The rung calls initialize_row() for all of its rows.
  using Base::Base;

  void initialize_rows() {
    for (int y = 0; y < case_.ny; ++y)
      this->initialize_row(y);
  }

  /// Accelerates the driven row for the first of several steps, if it is in the strip.
  void begin() {
    if (const int row = case_.accelerated_row(); strip_.first <= row && row <= strip_.last) this->accelerate(this->from(), row);
  }

  /// Makes a step of the own rows from `first` to `last`, and accelerates the driven one for the next step if there is one
  /// (`more`). Returns the sum of the speeds.
  double update_rows(int first, int last, bool more) {
    double speeds = 0;
    for (int y = first; y <= last; ++y) {
      speeds += update_row(this->from(), this->to(), y);
      if (more) this->accelerate(this->to(), y);
    }
    return speeds;
  }

  /// The first number of direction i in a row.
  real* row(Lattice lattice, int i, int y) const { return &lattice(i, 0, y); }

  /// Makes a step of one row, which it writes to `to`; returns the sum of the speeds.
  template <template <class, int> class To = Writer>
  [[gnu::flatten]] real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, ladder::wrapped(y, case_.ny));
    Vector speeds = 0;
    To<real, q> target(&to(0, 0, y), to.layout.strides().q);
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, y),         pull(1, x - 1, y),     pull(2, x, y - 1),
                                pull(3, x + 1, y),     pull(4, x, y + 1),     pull(5, x - 1, y - 1),
                                pull(6, x + 1, y - 1), pull(7, x + 1, y + 1), pull(8, x - 1, y + 1)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds += select(rebounds, Vector(0), sqrt(d2q9_collide(f, omega)));
      target.write(x, [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); });
    };
    const auto inside = [&](int i, int x, int of_row) { return Vector::load(&from(i, x, of_row)); };
    // Lanes beyond either end of the row come from its other end; those after the last site are never used.
    [[maybe_unused]] const auto at_ends = [&](int i, int x, int of_row) {
      const Vector lane = Vector::load(lanes);
      const Vector east = select(lane == Vector(nx - x), Vector(from(i, 0, of_row)), inside(i, x, of_row));
      return select(lane == Vector(-1 - x), Vector(from(i, nx - 1, of_row)), east);
    };
    const int last = (nx - 1) / Vector::size * Vector::size;
    if constexpr (halo_columns) {
      for (int x = 0; x <= last; x += Vector::size)
        update_vector(x, inside);
    } else {
      update_vector(0, at_ends);
      for (int x = Vector::size; x < last; x += Vector::size)
        update_vector(x, inside);
      if (last > 0) update_vector(last, at_ends);
    }
    target.finish();
    return sum(speeds);
  }

 private:
  static constexpr real lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

}  // namespace d2q9
