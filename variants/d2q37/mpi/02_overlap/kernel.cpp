// Idea:    inner rows are updated while messages are on their way, the three at either border when they have arrived
// Layout:  structure of arrays, f[37][y][x] of a strip and six rows of halo, rows start at a cache line, two lattices
// Traffic: 37 numbers read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; here strips of rows
// Bound:   memory bandwidth, shared by the processes; max(exchange, inner rows) + rows at the borders
#include "variants/d2q37/mpi/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class Strips final : public StripSolver<real> {
 public:
  Strips(const Case& c, const ladder::Tuning&) : StripSolver<real>(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      update();
      this->turn();
    }
  }

 private:
  void update() {
    if (!this->strip_.has_halo()) return this->update_bulk();
    auto messages = this->begin_exchange();
    this->update_bulk();
    this->wait_for(messages);
    this->update_borders();
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi/01_exchange", .traffic = d2q37::traffic, .make = ladder::make_solver<d2q37::Strips, d2q37::Model>};
