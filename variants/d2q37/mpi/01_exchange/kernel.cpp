// Idea:    a strip per process: three rows at each border are exchanged before each step
// Layout:  structure of arrays, f[37][y][x] of a strip and six rows of halo, rows aligned to cache lines, two copies of the
//          lattice
// Traffic: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; here with strips of rows
// Bound:   memory bandwidth, shared by the processes, plus the exchange, which does not overlap with computation
#include "backends/simd/row_stream.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/mpi/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class OnePass final : public StripSolver<real>, public ladder::Phased {
  using Base = StripSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_, Base::strip_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      exchange();
      update_borders();
      update_bulk();
    }
  }
  std::vector<ladder::Phase> phases() override {
    return {{"comm", [this] { exchange(); }}, {"borders", [this] { update_borders(); }}, {"bulk", [this] { update_bulk(); }}};
  }

 private:
  void exchange() {
    if (!strip_.has_halo()) return;
    auto messages = this->begin_exchange();
    this->wait_for(messages);
  }
  void update_borders() {
    for (const Strip::Rows& rows : strip_.borders())
      update(rows);
  }
  void update_bulk() {
    update(strip_.bulk());
    this->swap_lattices();
  }

  /// Advances a range of own rows by one step.
  void update(const Strip::Rows& rows) {
    for (int y = rows.first; y <= rows.last; ++y)
      this->with_wall(y, [&](const WallRow& place, auto bc) { update_row(y, place, bc); });
  }

  /// Gathers the populations of each vector in a row, applies the wall's state with bc(f), and collides them.
  template <class Bc>
  [[gnu::flatten]] void update_row(int y, const WallRow& place, Bc bc) {
    const RowSources<real> from = this->sources(y, place);
    ladder::RowStream<real, q> to(g_.data() + layout_(0, 0, y), layout_.strides().q);
    for_each_vector<Vector>(case_.nx, [&](int x, auto pull) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pull(from.row[i], x - from.west[i]);
      bc(f);
      d2q37_collide(f, Vector(relaxation_.omega), Vector(relaxation_.kick), Vector(relaxation_.warm));
      to.write(x, [&](int i) { return f[i]; });
    });
    to.finish();
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/09_streaming",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
