#include "backends/opencl/flags.hpp"
#include "variants/d3q19/faces.hpp"
#include "variants/d3q19/opencl/solver.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

/// The tunable `cells`. Its default is that of d3q19/opencl/06_faces or, in half precision, that of d3q19/cuda/11_half.
ladder::Tunable cells_tunable() {
  return {.name = "cells",
          .meaning = "cells of a row that a work-item reads and writes as one vector; 0: 2, or 4 in f16",
          .values = {0, 2, 4, 8},
          .initial = 0};
}

template <class real>
int cells_per_item(const ladder::Tuning& tuning) {
  const int cells = tuning.at("cells");
  return cells > 0 ? cells : std::is_same_v<real, ladder::Half> ? 4 : 2;
}

/// Elements per vector: one for each value or, in half precision, one for each pair of values.
template <class real>
int elements(int cells) {
  return std::is_same_v<real, ladder::Half> ? cells / 2 : cells;
}

/// Returns the strides. Refuses a case for which the kernel's 32-bit offsets do not reach the end of a population's array.
lattice::Strides with_offsets(const Case& c, const lattice::Strides& strides) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (strides.q > most)
    throw ladder::Refused(ladder::Reason::too_large, c.name + ": the kernel's offsets reach " + std::to_string(most) +
                                                         " values per direction, and padded rows take " +
                                                         std::to_string(strides.q));
  return strides;
}

template <class real>
class Vectors final : public OpenclSolver<real> {
 public:
  Vectors(const Case& c, const ladder::Tuning& tuning) : Vectors(c, tuning, cells_per_item<real>(tuning)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      run_lbm_(vectors_, {{"f_temp", this->f()}, {"f", this->g()}});
      this->swap_lattices();
      this->bound_queue(step);
    }
  }

 private:
  Vectors(const Case& c, const ladder::Tuning& tuning, int cells)
      : OpenclSolver<real>(c, with_offsets(c, padded_rows<real>(c)),
                           {.group = lattice::opencl::row_shape(tuning),
                            .macros = {{"cells", std::to_string(cells)},
                                       {"elements", std::to_string(elements<real>(cells))},
                                       {"face_shift", std::to_string(face_shift)}}}),
        vectors_{static_cast<std::size_t>((c.nx + cells - 1) / cells * c.ny * c.nz)} {}

  const lattice::opencl::Shape vectors_;  ///< of all rows, one after another
  const lattice::opencl::Buffer<cl_uchar> padded_flags_ =
      ladder::opencl::padded_flags(this->device_, flags_with_faces(this->case_), static_cast<std::size_t>(this->case_.nx),
                                   static_cast<std::size_t>(this->strides_.y));
  ladder::opencl::Kernel run_lbm_ =
      this->kernel("run_lbm", {{"padded_flags", padded_flags_}, {"pitch", static_cast<cl_int>(this->strides_.y)}});
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/opencl/07_packed",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::opencl::row_tunable(), d3q19::cells_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q19::Vectors, d3q19::Model, d3q19::OpenclNumbers>,
};
