// Idea:    crossing populations only: a message holds 26 of the 111 population columns at a border
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch] of a strip and its halo, columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; sending
//          fewer populations is this project's
// Bound:   memory bandwidth, plus the copies over the bus and the messages, which do not overlap with computation
#include "variants/d2q37/mpi+openacc/messages.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Whether a message contains a population of a column: if it reaches the neighbour in one step.
bool is_sent(int speed, int column) { return speed >= column; }

template <class real>
class Crossings final : public SequentialStrips<real> {
 public:
  Crossings(const Case& c, const ladder::Tuning&) : SequentialStrips<real>(c) {}

 private:
  void exchange() override {
    left_.pack(this->f(), 1);
    right_.pack(this->f(), 1);
    left_.to_host(1);
    right_.to_host(1);
    this->wait();
    exchange_messages(left_, this->west_, right_, this->east_);
    left_.to_device(1);
    right_.to_device(1);
    left_.unpack(this->f(), 1);
    right_.unpack(this->f(), 1);
  }

  Border<real> left_{this->device_, this->columns_, -1, is_sent}, right_{this->device_, this->columns_, 1, is_sent};
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/mpi+openacc/02_packed",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::Crossings, d2q37::Model>};
