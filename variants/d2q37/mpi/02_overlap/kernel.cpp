// Idea:    overlap: inner rows are updated while messages are in transit, and three rows at each border once they have arrived
// Layout:  structure of arrays, f[37][y][x] of a strip and six rows of halo, rows aligned to cache lines, two copies of the
//          lattice
// Traffic: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; here with strips of rows
// Bound:   memory bandwidth, shared by the processes; max(exchange, inner rows) + rows at the borders
#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/mpi/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class OnePass final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Base::case_, Base::layout_, Base::g_, Base::relaxation_, Base::strip_;
  using Vector = ladder::Vector<real>;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      update();
      this->swap_lattices();
    }
  }

 private:
  void update() {
    if (!strip_.has_halo()) return update(strip_.bulk());
    auto messages = this->begin_exchange();
    update(strip_.bulk());
    this->wait_for(messages);
    for (const Strip::Rows& rows : strip_.borders())
      update(rows);
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

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi/01_exchange", .traffic = d2q37::traffic, .make = ladder::make_solver<d2q37::OnePass, d2q37::Model>};
