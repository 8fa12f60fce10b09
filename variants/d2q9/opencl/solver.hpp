#pragma once

#include <algorithm>

#include "backends/opencl/flags.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/d2q9/strides.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d2q9 {

extern const std::string_view shared_source;    ///< text of collide.h
extern const std::string_view drive_text;       ///< text of drive.cl
extern const std::string_view accelerate_text;  ///< text of accelerate.cl

/// Base class of the model's OpenCL rungs: a lattice with its obstacles, and the force on the driven row. Kernels of a rung
/// take nx, ny, solid[y][pitch] (1 solid), pitch, omega, w1 and w2 under these names.
template <class real>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Strides> {
  using Base = lattice::opencl::Solver<Model, real, Strides>;

 protected:
  OpenclSolver(const Case& c, const Strides& strides, const lattice::opencl::Setup& setup)
      : Base(c, strides, std::max(9 * strides.q, static_cast<std::size_t>(c.ny) * strides.y), setup, texts(setup.width),
             {{"nx", c.nx}, {"ny", c.ny}, {"omega", real(c.omega)}, {"w1", real(c.w1())}, {"w2", real(c.w2())}}),
        grid_{static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)},
        solid_(ladder::opencl::padded_flags(this->device(), c.solid, grid_.x, strides.x == 1 ? strides.y : grid_.x)),
        accelerate_(accelerate_kernel()) {}

  /// Accelerates the driven row; `odd` if an in-place pattern has made an odd number of steps.
  void accelerate(int odd = 0) { accelerate_({grid_.x, 1}, {{"f", this->f()}, {"odd", odd}}); }

  /// The row that step number `step` accelerates for the next one of `steps`; -1, none, in the last.
  [[nodiscard]] int driven(std::int64_t step, std::int64_t steps) const {
    return step < steps ? this->the_case().accelerated_row() : -1;
  }
  [[nodiscard]] lattice::opencl::Shape grid() const { return grid_; }  ///< the cells along x and y

 private:
  // If the kernels work on vectors, so does the shared collision.
  static std::vector<std::string_view> texts(int width) {
    using namespace ladder::opencl;
    if (width == 1) return {shared_source, common_text, lanes_text, drive_text};
    return {"#define LBM_LANES\n#undef real\n#define real lanes\n",
            shared_source,
            "#undef real\n#define real number\n",
            common_text,
            lanes_text,
            drive_text};
  }

  lattice::opencl::Kernel accelerate_kernel() {
    this->add({"solid", solid_});
    this->add({"pitch", static_cast<int>(solid_.size() / grid_.y)});
    const auto program = ladder::opencl::build(this->device(), {shared_source, accelerate_text},
                                               {{"real", std::string(ladder::opencl::number_name<real>())}});
    const Strides& strides = this->strides();
    lattice::opencl::Kernel kernel(this->device(), program, "accelerate", {64, 1}, this->arguments());
    kernel.bind({{"row", this->the_case().accelerated_row()},
                 {"stride_x", strides.x},
                 {"stride_y", strides.y},
                 {"stride_q", strides.q}});
    return kernel;
  }

  const lattice::opencl::Shape grid_;
  const lattice::opencl::Buffer<cl_uchar> solid_;
  lattice::opencl::Kernel accelerate_;
};

}  // namespace d2q9
