// Idea:    stored moments: 15 instead of 37 populations; a thread expands each row once, keeps the populations of the last
//          eight rows, and gathers from them
// Layout:  structure of arrays of moments, m[15][y][x], two copies of the lattice; a ring of rows f[8][37][x] per thread
// Traffic: 15 moments read and 15 written if the ring stays in a cache; six more rows per thread
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   arithmetic and the cache that holds the ring (2.4 MB for 1,000 columns); then memory bandwidth
#include "variants/d2q37/openmp/moments.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {15 * real, 15 * real}; }

template <class real>
class OnePass final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    this->make_rings();
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      const int thread = omp_get_thread_num();
      update_rows(this->first_row(thread), this->first_row(thread + 1), this->own_ring(case_.nx));
#pragma omp barrier
#pragma omp single
      f_.swap(g_);
    }
  }

 private:
  /// Updates rows [first, last).
  void update_rows(int first, int last, Ring<real>& ring) {
    if (first == last) return;
    for (int y = first - Lattice::reach; y < last + Lattice::reach; ++y) {
      expand_row(y, ring);
      const int ready = y - Lattice::reach;  // the last row for which all populations have been expanded
      if (ready < first) continue;
      this->with_wall(ready, [&](const WallRow& place, auto bc) { update_row(ready, place, bc, ring); });
    }
  }

  /// Expands row y and its margins, which are copies from the opposite end. The lattice is periodic.
  void expand_row(int y, Ring<real>& ring) {
    const real* row = f_.data() + layout_(0, 0, lattice::wrapped(y, case_.ny));
    real* to = ring.at(0, y);
    for (int x = -ring.margin; x < case_.nx + ring.margin; x += Vector::size) {
      Vector m[D2Q37_M], f[q];
      this->load_vector(row, x, m);
      d2q37_expand(m, f);
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * ring.pitch() + x);
    }
  }

  /// Gathers the populations of each vector in a row, applies the wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc, Ring<real>& ring) {
    const auto from = this->sources(y, place, ring);
    ladder::RowStream<real, D2Q37_M> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    for (int x = 0; x < case_.nx; x += Vector::size) {
      Vector f[q], m[D2Q37_M];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load(from[i] + x);
      bc(f);
      d2q37_moments(f, m);
      d2q37_relax(m, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      to.write(x, [&](int k) { return m[k]; });
    }
    to.finish();
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openmp/09_streaming",
    .traffic = d2q37::traffic,
    .lattices = 2 * 15. / 37,
    .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>,
};
