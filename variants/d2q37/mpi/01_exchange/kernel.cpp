// Idea:    a strip of rows per process; three rows at either border are exchanged before each step
// Layout:  structure of arrays, f[37][y][x] of a strip and six rows of halo, rows start at a cache line, two lattices
// Traffic: 37 numbers read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; here strips of rows
// Bound:   memory bandwidth, shared by the processes; the exchange, which nothing hides
#include "harness/bench/phases.hpp"
#include "variants/d2q37/mpi/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class Strips final : public StripSolver<real>, public ladder::Phased {
 public:
  Strips(const Case& c, const ladder::Tuning&) : StripSolver<real>(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      exchange();
      this->update_borders();
      update_bulk();
    }
  }
  std::vector<ladder::Phase> phases() override {
    return {
        {"comm", [this] { exchange(); }}, {"borders", [this] { this->update_borders(); }}, {"bulk", [this] { update_bulk(); }}};
  }

 private:
  void exchange() {
    if (!this->strip_.has_halo()) return;
    auto messages = this->begin_exchange();
    this->wait_for(messages);
  }
  void update_bulk() {
    StripSolver<real>::update_bulk();
    this->turn();
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/09_streaming",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::Strips, d2q37::Model>};
