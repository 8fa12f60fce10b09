// Idea:    several steps per pass: each further step follows one row and one plane behind, on rows in a cache
// Layout:  blocks of one cache line, k[z][y][x / line][10][line], two copies of the lattice; per thread and step, the sums of a
//          tile of rows, and three rows
// Traffic: ten moments read and written once per pass
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   arithmetic, or the caches that hold a tile; rows at the edges of a tile are computed twice
#include "variants/regularized/openmp/axes.hpp"

namespace regularized {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case&, const ladder::Tuning& tuning) {
  const double once = numbers * real / tuning.at("steps");
  return {{once, once}};
}

template <class real>
class Passes final : public MomentSolver<real, Blocks<real>> {
  using Base = MomentSolver<real, Blocks<real>>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using typename Base::Vector;

 public:
  Passes(const Case& c, const ladder::Tuning& tuning)
      : Base(c), steps_(std::min({tuning.at("steps"), c.ny, c.nz})), rows_(rows_of_pass(c, tuning)) {
    threads_.resize(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
    for (int s = 0; s < steps_; ++s)
      threads_[static_cast<std::size_t>(omp_get_thread_num())].emplace_back((rows_ + 2 * (steps_ - 1)) * vectors_,
                                                                            layout_.pitch());
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t done = 0; done < steps; done += steps_) {
      const int count = static_cast<int>(std::min<std::int64_t>(steps_, steps - done));
#pragma omp parallel
      {
        Axes<real> axes;
        auto& stages = threads_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
        for (int first = 0; first < case_.ny; first += rows_)
          update(first, std::min(first + rows_, case_.ny), count, axes, stages);
      }
      f_.swap(g_);
    }
  }

 private:
  /// What a step of the pass keeps: the sums of its rows, and the last three rows that it has completed.
  struct Stage {
    Stage(int count, std::int64_t elements)
        : columns(static_cast<std::size_t>(count)), pitch(elements), rows(static_cast<std::size_t>(3 * elements)) {
      rows.poison();
    }
    /// Row y, at least -6.
    real* row(int y) { return rows.data() + (y + 6) % 3 * pitch; }

    std::vector<Column<Vector>> columns;
    std::int64_t pitch;
    ladder::Array<real> rows;
  };

  /// Rows per tile that the tuning selects; by default, the sums of all steps of a pass take about 384 KiB.
  int rows_of_pass(const Case& c, const ladder::Tuning& tuning) const {
    const int rows = rows_of_tile<real>(c, tuning);
    return tuning.at("rows") != 0 ? rows : std::max(rows * 3 / (2 * steps_), 1);
  }

  /// Advances rows first, …, end - 1 of all planes by `steps` steps. While step 0 takes row y of plane z, step s takes row y -
  /// s of plane z - s, which completes that row of plane z - s - 1. Earlier steps also compute the rows and planes around the
  /// tile that later ones need.
  void update(int first, int end, int steps, Axes<real>& axes, std::vector<Stage>& stages) {
    for (int z = -steps; z < case_.nz + steps; ++z)
      for (int y = first - (steps - 1); y < end + (steps - 1); ++y)
        for (int s = 0; s < steps && z >= 2 * s - steps && y >= first + 2 * s - (steps - 1); ++s) {
          Stage& stage = stages[static_cast<std::size_t>(s)];
          const int row = y - s, place = row - first + (steps - 1 - s);
          const auto source = [&](int n) -> const real* {
            return s == 0 ? this->row(n, z) : stages[static_cast<std::size_t>(s - 1)].row(n);
          };
          const real* const rows[3] = {source(row - 1), source(row), source(row + 1)};
          Column<Vector>* const columns = stage.columns.data() + place * vectors_;
          const bool complete = z >= 2 * (s + 1) - steps;
          const auto add = [&](auto write) {
            axes.add_row(rows, case_.nx, columns, (z - s) & 1, [&](int x, const Vector* sums) LADDER_INLINE_LAMBDA {
              if (complete) write(x, sums);
            });
            if (complete) write.finish();
          };
          if (s < steps - 1)
            add(Store<real>(stage.row(row), relaxation_));
          else
            add(StreamingStore<real>(g_.data() + layout_(0, 0, row, std::max(z - s - 1, 0)), relaxation_));
        }
  }

  const int steps_, rows_;
  const int vectors_ = (case_.nx + Vector::size - 1) / Vector::size;
  std::vector<std::vector<Stage>> threads_;
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("openmp/05_axes"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {regularized::rows_tunable(),
                 {.name = "steps", .meaning = "steps per pass", .values = {1, 2, 3, 4}, .initial = 2}},
    .make = ladder::make_solver<regularized::Passes, regularized::Model>,
};
