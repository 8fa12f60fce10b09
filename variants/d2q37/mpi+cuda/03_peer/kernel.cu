// Idea:    the kernel writes the rows at both borders to the neighbours' GPUs as well; GPUs wait for each other by themselves
// Layout:  structure of arrays with padded rows, f[37][y][pitch] of a strip and six rows of halo, two lattices
// Traffic: every population read once and written once: 37 numbers read, 37 written; six rows are written twice
// Source:  NVIDIA, CUDA C++ Programming Guide, peer-to-peer memory access and interprocess communication
// Bound:   memory bandwidth; on thin strips launches and the way of a flag to the neighbour and back
#include "variants/d2q37/mpi+cuda/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class Strips final : public lattice::cuda::RingState<DeviceStrip<real>, real> {
  using Base = lattice::cuda::RingState<DeviceStrip<real>, real>;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning)
      : Base(c, strip_on_device(c, Lattice::reach), Lattice::reach, lattice::cuda::block_shape(tuning)) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->fill_halos();
    for (std::int64_t step = 0; step < steps; ++step) {
      this->update(this->device_, {this->strip_.first, this->strip_.last}, this->borders());
      this->meet();
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/mpi+cuda/02_overlap",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::Strips, d2q37::Model>,
};
