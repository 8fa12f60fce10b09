// Idea:    a ring of processes: one strip of columns each; before each step, three columns per population go to both neighbours
// Layout:  structure of arrays, f[37][3 + nx + 3][pitch] of a strip and its halo, columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Calore et al., Concurrency Computat.: Pract. Exper. 28 (2016) 3485, section 4; here through host memory
// Bound:   memory bandwidth, plus 74 messages and 148 copies over the bus, none of which overlap with computation
#include "variants/d2q37/mpi+openacc/strips.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class Ring final : public SequentialStrips<real> {
 public:
  Ring(const Case& c, const ladder::Tuning&) : SequentialStrips<real>(c) {}

 private:
  void exchange() override {
    this->wait();
    for (int i = 0; i < q; ++i) {
      pass(i, 0, this->west_, this->columns_.nx, this->east_);
      pass(i, this->columns_.nx - frame, this->east_, -frame, this->west_);
    }
  }

  /// Sends three columns of population i, which are contiguous, and receives three; each argument names the first.
  void pass(int i, int sent, int to, int received, int from) {
    acc_memcpy_from_device(out_.data(), column(i, sent), size_ * sizeof(real));
    LADDER_MPI(MPI_Sendrecv(out_.data(), size_, mpi_type<real>, to, 0, in_.data(), size_, mpi_type<real>, from, 0,
                            ladder::mpi::world(), MPI_STATUS_IGNORE));
    acc_memcpy_to_device(column(i, received), in_.data(), size_ * sizeof(real));
  }

  [[nodiscard]] real* column(int i, int x) { return this->f() + this->strides_(i, x, 0, 0); }

  const int size_ = frame * this->columns_.pitch;
  std::vector<real> out_ = std::vector<real>(size_), in_ = std::vector<real>(size_);
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/openacc/07_factored", .traffic = d2q37::traffic, .make = ladder::make_solver<d2q37::Ring, d2q37::Model>};
