#include "variants/d3q27/opencl/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

/// The tunable `width`.
ladder::Tunable width_tunable() {
  ladder::Tunable width = lattice::opencl::width_tunable();
  width.meaning = "cells of a row that a work-item updates as one vector; 0: 16 bytes, on a CPU the device's vector width";
  return width;
}

template <class real>
lattice::opencl::Setup setup(const ladder::Tuning& tuning) {
  lattice::opencl::Setup setup{.group = lattice::opencl::row_shape(tuning)};
  const int width = tuning.at("width");
  if (width > 0)
    setup.width = width;
  else
    setup.width = setup.device.is_processor() ? ladder::opencl::vector_width<real>(setup.device) : 16 / sizeof(real);
  return setup;
}

template <class real>
class Vectors final : public OpenclSolver<real> {
 public:
  Vectors(const Case& c, const ladder::Tuning& tuning) : Vectors(c, setup<real>(tuning)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      run_lbm_(vectors_, {{"f_temp", this->f()}, {"f", this->g()}});
      this->swap_lattices();
      this->bound_queue(step);
    }
  }

 private:
  Vectors(const Case& c, const lattice::opencl::Setup& setup)
      : OpenclSolver<real>(c, padded_rows<real>(c), setup),
        vectors_{lattice::opencl::Shape{static_cast<std::size_t>(c.nx)}.in_spans(static_cast<std::size_t>(setup.width)).x *
                 static_cast<std::size_t>(c.ny * c.nz)} {}

  const lattice::opencl::Shape vectors_;  ///< of all rows, one after another
  ladder::opencl::Kernel run_lbm_ = this->kernel("run_lbm", {{"pitch", static_cast<cl_int>(this->strides_.y)}});
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/opencl/05_soa",
    .traffic = d3q27::traffic,
    .tunables = {lattice::opencl::row_tunable(), d3q27::width_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q27::Vectors, d3q27::Model>,
};
