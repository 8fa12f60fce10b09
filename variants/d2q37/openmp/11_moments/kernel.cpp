// Idea:    15 moments are stored instead of 37 populations: a thread expands each row once, keeps the populations of the last
//          eight rows in its second-level cache, and gathers from there
// Layout:  structure of arrays of moments, m[15][y][x], two lattices; strips of columns, a ring of rows f[8][37][x] per thread
// Traffic: 15 moments read, with margins of a cache line on both sides of a strip, and 15 written; six rows more per thread
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   arithmetic and the second-level cache, then memory bandwidth
#include <omp.h>

#include "backends/memory/array.hpp"
#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/sources.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace d2q37 {
namespace {

/// A cell is stored as its moments of collide.h. After a collision they hold all that its populations do.
struct Moments : Lattice {
  static constexpr int q = D2Q37_M;
};

constexpr std::int64_t margin = ladder::cache_line_bytes / sizeof(double);  // columns beside a strip that are expanded, too

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double width = std::min<double>(tuning.at("width"), static_cast<double>(c.nx));
  return {{15 * real * (1 + 2 * margin / width), 15 * real}};
}

template <class real>
class OnePass final : public ladder::Solver<Model> {
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning)
      : case_(without_reaction(c)),
        width_(tuning.at("width")),
        f_(static_cast<std::size_t>(layout_.required_span_size())),
        g_(f_.size()) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < case_.ny; ++y)
      initialize(y);
  }

  void advance(std::int64_t steps) override {
    rings_.resize(std::max(rings_.size(), static_cast<std::size_t>(omp_get_max_threads())));
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const auto first_row = [&](int part) { return static_cast<int>(static_cast<std::int64_t>(case_.ny) * part / threads); };
      for (int first = 0; first < case_.nx; first += width_)
        update_strip(first, first_row(thread), first_row(thread + 1), rings_[static_cast<std::size_t>(thread)]);
#pragma omp barrier
#pragma omp single
      f_.swap(g_);
    }
  }

  void store(ladder::Populations& out) override {
    visit_cells(out.box, [&](std::int64_t n, real* m, std::int64_t stride) {
      real moments[D2Q37_M], f[q];
      for (int k = 0; k < D2Q37_M; ++k)
        moments[k] = m[k * stride];
      d2q37_expand(moments, f);
      for (int i = 0; i < q; ++i)
        out.at(i, n) = static_cast<double>(f[i]);
    });
  }
  void load(const ladder::Populations& in) override {
    visit_cells(in.box, [&](std::int64_t n, real* m, std::int64_t stride) {
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = in.at(i, n);
      project(f, m, stride);
    });
  }
  double conserved() override {
    return lattice::sum(f_.data(), {.q = 1, .extents = extents(case_), .strides = layout_.strides(), .access = {}});
  }

 private:
  static constexpr int ring_rows = 8;

  /// Writes the moments of populations f.
  static void project(const double* f, real* m, std::int64_t stride) {
    double moments[D2Q37_M];
    d2q37_moments(f, moments);
    for (int k = 0; k < D2Q37_M; ++k)
      m[k * stride] = static_cast<real>(moments[k]);
  }

  template <class Visit>
  void visit_cells(const ladder::Box& box, Visit visit) {
    lattice::detail::for_each_cell(box, q, [&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
      visit(n, f_.data() + layout_(0, x, y), layout_.strides().q);
    });
  }

  /// Writes row y, as the first to touch it: NaN, then the initial state.
  void initialize(int y) {
    for (int k = 0; k < D2Q37_M; ++k)
      for (auto* lattice : {&f_, &g_}) {
        const auto first = static_cast<std::size_t>(layout_(k, 0, y));
        lattice->poison(first, first + static_cast<std::size_t>(layout_.columns()));
      }
    for (int x = 0; x < case_.nx; ++x)
      project(case_.initial(x, y, 0).data(), f_.data() + layout_(0, x, y), layout_.strides().q);
  }

  /// Updates rows [first_y, last_y) of the strip of columns that starts at `first`.
  void update_strip(int first, int first_y, int last_y, ladder::Array<real>& ring) {
    constexpr int reach = Lattice::reach;
    if (ring.size() == 0) {
      ring = ladder::Array<real>(static_cast<std::size_t>(ring_rows * q * pitch()));
      ring.poison();
    }
    if (first_y == last_y) return;
    for (int y = first_y - reach; y < first_y + reach; ++y)
      expand_row(first, y, ring.data());
    for (int y = first_y; y < last_y; ++y) {
      expand_row(first, y + reach, ring.data());
      const WallRow place = wall_row(y, bottom_, case_.ny);
      if (place.n >= 0)
        update_row(first, y, place, ring.data(), [&](Vector* f) {
          d2q37_wall(f, Vector(relaxation_.wall_speed), Vector(relaxation_.wall_theta[place.is_top ? 1 : 0]));
        });
      else
        update_row(first, y, place, ring.data(), [](Vector*) {});
    }
  }

  [[nodiscard]] std::int64_t pitch() const { return width_ + 2 * margin; }
  /// Populations i of row y, from -3 to ny + 2, at the first column of a strip.
  [[nodiscard]] std::int64_t in_ring(int i, int y) const { return ((y + ring_rows) % ring_rows * q + i) * pitch() + margin; }
  [[nodiscard]] int columns(int first) const { return std::min(width_, case_.nx - first); }

  /// Expands row y of a strip and its margins. The lattice is periodic.
  void expand_row(int first, int y, real* ring) {
    const int nx = case_.nx;
    const real* row = f_.data() + layout_(0, 0, lattice::wrapped(y, case_.ny));
    const std::int64_t stride = layout_.strides().q;
    const std::int64_t next_row = layout_.strides().y;
    real* to = ring + in_ring(0, y);
    for (int x = first - static_cast<int>(margin); x < first + columns(first) + margin; x += Vector::size) {
      for (int k = 0; k < D2Q37_M; ++k)  // streams as short as a strip: the hardware does not follow them
        __builtin_prefetch(row + k * stride + next_row + x, 0, 2);
      Vector m[D2Q37_M], f[q];
      if (x >= 0 && x + Vector::size <= nx)
        for (int k = 0; k < D2Q37_M; ++k)
          m[k] = Vector::load_aligned(row + k * stride + x);
      else
        for (int k = 0; k < D2Q37_M; ++k) {
          real lanes[Vector::size];
          for (int lane = 0; lane < Vector::size; ++lane)
            lanes[lane] = row[k * stride + ((x + lane) % nx + nx) % nx];
          m[k] = Vector::load(lanes);
        }
      d2q37_expand(m, f);
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(to + i * pitch() + (x - first));
    }
  }

  /// Gathers the populations of each vector of a row, sets them to those of a wall with bc(f), and writes the moments after the
  /// collision.
  template <class Bc>
  [[gnu::flatten]] void update_row(int first, int y, const WallRow& place, const real* ring, Bc bc) {
    const real* from[q];
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      const int up = source.y - y;  // wrapped: the row is in the ring at a distance of at most 3
      const int near = up > Lattice::reach ? up - case_.ny : up < -Lattice::reach ? up + case_.ny : up;
      from[i] = ring + in_ring(source.i, y + near) - source.west;
    }
    ladder::RowStream<real, D2Q37_M> to(g_.data() + layout_(0, first, y), layout_.strides().q);
    for (int x = 0; x < columns(first); x += Vector::size) {
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

  const Case case_;
  const int width_;  // columns of a strip
  const lattice::Aligned<Moments, real> layout_{extents(case_)};
  ladder::Array<real> f_, g_;               ///< [layout_(k, x, y)], moments, read and written by the next step
  std::vector<ladder::Array<real>> rings_;  ///< of each thread: [in_ring(i, y) + x], populations
  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openmp/10_prefetch",
    .traffic = d2q37::traffic,
    .lattices = 2 * 15. / 37,
    .tunables = {{.name = "width", .meaning = "columns of a strip", .values = {64, 128, 256, 512}, .initial = 256}},
    .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>,
};
