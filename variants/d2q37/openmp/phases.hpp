#pragma once

#include <omp.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "backends/simd/vector.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/columns.hpp"
#include "variants/d2q37/textbook.hpp"

/// Shared by the rungs that use the lattice of columns.hpp: teams of threads, frames and walls.
namespace d2q37 {

/// Base of rungs whose steps consist of phases computed by a team of threads. Every thread calls each member of a phase.
template <class real, int lanes, class Order = Natural>
class TeamSolver : public ColumnSolver<real, lanes, Order>, public ladder::Phased {
  using Base = ColumnSolver<real, lanes, Order>;

 protected:
  using Base::Base, Base::case_, Base::layout_, Base::f_, Base::g_;
  static constexpr int frame = Base::Layout::frame;

  /// A phase that starts a separate team of threads.
  template <class Part>
  static ladder::Phase phase(std::string_view name, Part part) {
    return {name, [part] {
#pragma omp parallel
              part();
            }};
  }

  // Two threads handle the left and right ends of the lattice; a single one does if a population may come from either end.
  [[nodiscard]] bool is_left() const { return omp_get_thread_num() == 0; }
  [[nodiscard]] bool is_right() const {
    return omp_get_thread_num() == (case_.nx < 2 * frame ? 0 : std::min(1, omp_get_num_threads() - 1));
  }

  /// Fills the frames of f_; each end is ready for the thread that handles it.
  void comm() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      this->wrap(f_, x);
    copy_ends(f_);
  }
  void copy_ends(ladder::Array<real>& lattice) {
    if (is_left()) Base::comm(lattice, true);
    if (is_right()) Base::comm(lattice, false);
  }

  real* before(int i, int x, int row) { return f_.data() + layout_(i, x, row); }
  real* after(int i, int x, int row) { return g_.data() + layout_(i, x, row); }

  /// Sets the cells of column x in the rows at one wall, in g_.
  void bc(const Wall& wall, int x) {
    for (int n = 0; n < Case::wall_rows; ++n)
      set_wall(
          case_, this->relaxation_, wall, n, x,
          [&](int i) -> real& { return g_.data()[layout_.cell(i, x, wall.row(n, case_.ny))]; },
          [&](int i, int from_x, int from_y) { return f_.data()[layout_.cell(i, from_x, from_y)]; });
  }
  [[nodiscard]] bool is_at_wall(int row, int lane) const {
    return wall_row(layout_.y(row, lane), this->bottom_, case_.ny).n >= 0;
  }
};

/// Base of the rungs of code version V1: the phases of a step. A rung supplies stream and collide for columns.
template <class real, int lanes, class Order = Natural>
class PhaseSolver : public TeamSolver<real, lanes, Order> {
  using Base = TeamSolver<real, lanes, Order>;
  using Values = std::conditional_t<lanes == 1, real, ladder::Vector<real, lanes* static_cast<int>(sizeof(real))>>;

 public:
  void advance(std::int64_t steps) override {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      this->comm();
      stream_all();
      bc();
      if (case_.is_reactive()) {
        gas();
        comm2();
      }
      collide();
    }
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = {Base::phase("comm", [this] { this->comm(); }),
                                      Base::phase("stream", [this] { stream_all(); }), Base::phase("bc", [this] { bc(); })};
    if (case_.is_reactive()) {
      all.push_back(Base::phase("gas", [this] { gas(); }));
      all.push_back(Base::phase("comm2", [this] { comm2(); }));
    }
    all.push_back(Base::phase("collide", [this] { collide(); }));
    return all;
  }

 protected:
  using Base::Base, Base::case_, Base::g_;

  /// Gathers the populations of columns [first, last) from f_ into g_.
  virtual void stream(int first, int last) = 0;
  /// Collides the populations of g_ and writes them to f_.
  virtual void collide() = 0;

  /// Returns the heat of the reaction per step in the cells of `lanes` lanes, based on the results of gas().
  Values heat(int x, int row) {
    real heat[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      heat[lane] = heat_of(x, row, lane);
    return load(heat);
  }

 private:
  static Values load(const real* p) {
    if constexpr (lanes == 1)
      return *p;
    else
      return Values::load(p);
  }
  static void store(const Values& values, real* p) {
    if constexpr (lanes == 1)
      *p = values;
    else
      values.store_aligned(p);
  }

  /// Stores velocity, density and temperature in the cells of g_, because heat() needs the velocities of neighbours.
  void gas() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x) {
      for (int row = 0; row < this->layout_.rows(); ++row) {
        Values f[q];
        for (int i = 0; i < q; ++i)
          f[i] = load(this->after(i, x, row));
        const Macroscopic<Values> m = macroscopic(f);
        store(m.u, this->after(u, x, row));
        store(m.v, this->after(v, x, row));
        store(m.density, this->after(density, x, row));
        store(m.temperature, this->after(temperature, x, row));
      }
      this->wrap(g_, x, 1, u, members);
    }
  }

  real heat_of(int x, int row, int lane) {
    if (!case_.is_reactive() || this->is_at_wall(row, lane)) return 0;
    const auto at = [&](Member i, int dx, int dy) { return this->after(i, x + dx, row + dy)[lane]; };
    const real divergence = at(u, 1, 0) - at(u, -1, 0) + at(v, 0, 1) - at(v, 0, -1);
    return case_.heat(at(temperature, 0, 0), divergence * static_cast<real>(1 / (2 * D2Q37_R)));
  }

  /// Streams all columns; the thread that filled a frame streams the columns at that end.
  void stream_all() {
    const int nx = case_.nx, left_border = std::min(Base::frame, nx), right_border = std::max(left_border, nx - Base::frame);
    if (this->is_left()) stream(0, left_border);
    if (this->is_right()) stream(right_border, nx);
#pragma omp for schedule(static)
    for (int x = left_border; x < right_border; ++x)
      stream(x, x + 1);
  }

  void bc() {
    if (this->bottom_ < 0) return;
    if (this->is_left()) bc(wall_of(true, this->bottom_, case_.ny));
    if (this->is_right()) bc(wall_of(false, this->bottom_, case_.ny));
#pragma omp barrier
  }
  /// Sets the rows at one wall in g_.
  void bc(const Wall& wall) {
    for (int x = 0; x < case_.nx; ++x)
      Base::bc(wall, x);
  }

  void comm2() {
    this->copy_ends(g_);
#pragma omp barrier
  }
};

/// Base of the rungs of code version V2: rows in which any lane holds a cell at a wall are updated first, in two phases, then
/// all others. A rung supplies the phases.
template <class real, int lanes, class Order = Natural>
class FusedSolver : public TeamSolver<real, lanes, Order> {
  using Base = TeamSolver<real, lanes, Order>;

 public:
  void advance(std::int64_t steps) override {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      comm();
      stream_rows();
      bc_collide_rows();
      bulk();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {Base::phase("comm", [this] { comm(); }), Base::phase("stream_rows", [this] { stream_rows(); }),
            Base::phase("bc_collide_rows", [this] { bc_collide_rows(); }), Base::phase("bulk", [this] { bulk(); })};
  }

 protected:
  explicit FusedSolver(const Case& c) : Base(without_reaction(c)) {
    for (int row = 0; row < this->layout_.rows(); ++row)
      (holds_wall_cell(row) ? wall_rows_ : other_rows_).push_back(row);
  }

  virtual void stream_rows() = 0;
  virtual void bc_collide_rows() = 0;
  /// Updates the other rows and ends the step.
  virtual void bulk() = 0;

  /// Sets the cells of column x in the rows at both walls in g_, if there are walls.
  void bc(int x) {
    if (this->bottom_ < 0) return;
    for (const bool is_top : {false, true})
      Base::bc(wall_of(is_top, this->bottom_, this->case_.ny), x);
  }

  std::vector<int> wall_rows_, other_rows_;  ///< with and without cells at a wall in any lane

 private:
  void comm() {
    Base::comm();
#pragma omp barrier
  }

  [[nodiscard]] bool holds_wall_cell(int row) const {
    for (int lane = 0; lane < lanes; ++lane)
      if (this->is_at_wall(row, lane)) return true;
    return false;
  }
};

}  // namespace d2q37
