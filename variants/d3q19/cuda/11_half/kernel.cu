// Idea:    populations stored in half precision, shifted by their weights and scaled; computed in single precision
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, a byte of flags per cell
// Traffic: a flag of every cell; 19 numbers of each fluid cell read and written, and the returned populations written
// Source:  M. Lehmann et al., Phys. Rev. E 106 (2022) 015308, FP16S
// Bound:   memory bandwidth; launches of small boxes
#include "variants/d3q19/cuda/vectors.hpp"

namespace d3q19 {
namespace {

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::ObstacleSolver(c, row_block(tuning), padded_rows<real>(c)), width_(tuning.at("width")) {}

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 2 ? update_vectors<2, real> : width_ == 4 ? update_vectors<4, real> : update_vectors<8, real>;
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(kernel, this->step());
      this->turn();
    }
  }

 private:
  const int width_;
  const Launch over_ = over_vectors(this->device_, this->box_, width_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_vector_threads, "vector of cells"),
                 {.name = "width", .meaning = "cells of a row that a thread updates", .values = {2, 4, 8}, .initial = 4}},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model, ladder::Stored<ladder::Half>>,
};
