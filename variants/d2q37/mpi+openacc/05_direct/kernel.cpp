// Idea:    device pointers: MPI reads and writes GPU memory itself, so that the host copies nothing
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch] of a strip and its halo, columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4, Figure 3: host_data
//          use_device; here of packed messages
// Bound:   max(bulk, exchange + borders)
#include "backends/mpi+openacc/direct.hpp"
#include "variants/d2q37/mpi+openacc/messages.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Whether a message contains a population of a column: if it reaches the neighbour in one step.
bool is_sent(int speed, int column) { return speed >= column; }

template <class real>
class Direct final : public StripSolver<real> {
 public:
  Direct(const Case& c, const ladder::Tuning&) : StripSolver<real>(c) {
    ladder::openacc::require_direct_messages(this->device_);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      // On each queue, a step reads what the previous one wrote on the others.
#pragma acc wait(2, 3) async(1)
      if (this->is_alone()) copy_frames(this->f(), this->columns_, q);
#pragma acc wait(1) async(2)
#pragma acc wait(1) async(3)
      if (!this->is_alone()) pack();
      this->update(this->bulk(), 1);
      if (!this->is_alone()) exchange();
      this->update(this->left(), 2);
      this->update(this->right(), 3);
      this->swap_lattices();
    }
  }

 private:
  /// Precedes the bulk, whose gangs occupy the device until they are done.
  void pack() {
    left_.pack(this->f(), 2);
    right_.pack(this->f(), 3);
  }

  /// Fills the frames of f() with the neighbours' columns.
  void exchange() {
#pragma acc wait(2, 3)
    exchange_messages(left_, this->west_, right_, this->east_);
    left_.unpack(this->f(), 2);
    right_.unpack(this->f(), 3);
#pragma acc wait(3) async(2)  // the left border of a strip with up to five columns also reads the right frame
  }

  Border<real> left_{this->device_, this->columns_, -1, is_sent, Via::device},
      right_{this->device_, this->columns_, 1, is_sent, Via::device};
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/mpi+openacc/04_queues",
                                 .traffic = d2q37::traffic,
                                 .make = ladder::make_solver<d2q37::Direct, d2q37::Model>};
