// Idea:    strips of columns: the ring of expanded rows stays in a core's second-level cache
// Layout:  structure of arrays of moments, m[15][y][x], two copies of the lattice; strips of columns, a ring of rows
//          f[8][37][x] per thread
// Traffic: 15 moments read, including a margin of one cache line on each side of a strip, and 15 written; six more rows per
//          thread
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   arithmetic and the second-level cache, then memory bandwidth
#include "variants/d2q37/openmp/moments.hpp"

namespace d2q37 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double width = std::min<double>(tuning.at("width"), static_cast<double>(c.nx));
  return {{15 * real * (1 + 2 * Ring<double>::margin / width), 15 * real}};
}

template <class real>
class OnePass final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning) : Base(c), width_(tuning.at("width")) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    this->make_rings();
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      const int thread = omp_get_thread_num();
      for (int west = 0; west < case_.nx; west += width_)
        update_rows(west, this->first_row(thread), this->first_row(thread + 1), this->own_ring(width_));
#pragma omp barrier
#pragma omp single
      f_.swap(g_);
    }
  }

 private:
  [[nodiscard]] int columns(int west) const { return std::min(width_, case_.nx - west); }

  /// Updates rows [first, last) of the strip of columns that starts at `west`.
  void update_rows(int west, int first, int last, Ring<real>& ring) {
    if (first == last) return;
    for (int y = first - Lattice::reach; y < last + Lattice::reach; ++y) {
      expand_row(west, y, ring);
      const int ready = y - Lattice::reach;  // the last row for which all populations have been expanded
      if (ready < first) continue;
      this->with_wall(ready, [&](const WallRow& place, auto bc) { update_row(west, ready, place, bc, ring); });
    }
  }

  /// Expands row y of a strip and its margins. The lattice is periodic.
  void expand_row(int west, int y, Ring<real>& ring) {
    const real* row = f_.data() + layout_(0, 0, lattice::wrapped(y, case_.ny));
    real* to = ring.at(0, y) - west;
    for (int x = west - ring.margin; x < west + columns(west) + ring.margin; x += Vector::size) {
      for (int k = 0; k < D2Q37_M; ++k)  // streams are as short as a strip, so the hardware prefetcher does not track them
        __builtin_prefetch(row + layout_.strides().y + k * layout_.strides().q + x, 0, 2);
      Vector m[D2Q37_M], f[q];
      this->load_vector(row, x, m);
      d2q37_expand(m, f);
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * ring.pitch() + x);
    }
  }

  /// Gathers the populations of each vector in a row, applies the wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int west, int y, const WallRow& place, Bc bc, Ring<real>& ring) {
    const auto from = this->sources(y, place, ring);
    ladder::RowStream<real, D2Q37_M> to(g_.data() + layout_(0, west, y), layout_.strides().q);
    for (int x = 0; x < columns(west); x += Vector::size) {
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

  const int width_;  // of a strip
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openmp/12_moment_rows",
    .traffic = d2q37::traffic,
    .lattices = 2 * 15. / 37,
    .tunables = {{.name = "width", .meaning = "columns per strip", .values = {64, 128, 256, 512}, .initial = 256}},
    .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>,
};
