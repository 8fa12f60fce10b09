#pragma once

#include <optional>
#include <vector>

#include "variants/d3q19/model.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d3q19 {

extern const std::string_view shared_source;  ///< text of collide.h and its dependencies
extern const std::string_view cells_text;     ///< text of cells.cl
extern const std::string_view boundary_text;  ///< text of boundary.cl

/// The type in which the rungs store the lattice.
using OpenclNumbers = ladder::Stored<float, double, ladder::Half>;

/// Base of the model's OpenCL rungs: adds cell flags and boundaries to the lattice. Between calls of advance(), boundary cells
/// hold the populations that come back from them. Kernels number the cells consecutively with 32-bit indices, and take nx, ny,
/// nz, omega, omega_minus, speed and flags[z][y][x] (from flags()) by name.
template <class real, class Pattern = lattice::Pull>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Pattern> {
  using Compute = lattice::Compute<real>;
  using Base = lattice::opencl::Solver<Model, real, Pattern>;

 public:
  void load(const ladder::Populations& in) override {
    Base::load(in);
    fill_boundaries();
  }

 protected:
  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup)
      : Base(lattice::numbered<cl_uint>(c), strides, setup, shared_source, {lattice::opencl::storage_text, cells_text},
             {{"nx", c.nx},
              {"ny", c.ny},
              {"nz", c.nz},
              {"omega", Compute(c.omega())},
              {"omega_minus", Compute(c.omega_minus())},
              {"speed", Compute(c.speed)}}),
        flags_(this->device_, static_cast<std::size_t>(c.cells())),
        fill_boundaries_(this->device_, boundary_program(), "fill_boundaries", group, this->arguments_) {
    flags_.write(flags(c));
    this->arguments_.emplace_back("flags", flags_);
    if (const std::vector<std::uint32_t> near = near_cells(c); !near.empty()) {
      near_.emplace(this->device_, near.size()).write(near);
      fill_boundaries_.bind({{"flags", flags_}, {"near", *near_}, {"count", static_cast<cl_uint>(near.size())}});
    }
    for (int phase = 0; phase < Pattern::phases; ++phase)
      places_.push_back(
          lattice::opencl::on_device(this->device_, lattice::places<Lattice, Pattern>(lattice::extents(c), strides, phase)));
    fill_boundaries();
  }

  /// Gives the boundary cells the populations that come back from them in the next step.
  void fill_boundaries() {
    if (!near_) return;
    fill_boundaries_({near_->size(), 1}, {{"f", this->f()}, {"places", places_[static_cast<std::size_t>(this->phase_)]}});
  }

  const lattice::opencl::Shape cells_{static_cast<std::size_t>(this->case_.cells()), 1};  ///< in one row

 private:
  static constexpr lattice::opencl::Shape group{64, 1};  ///< work-items of fill_boundaries

  [[nodiscard]] cl::Program boundary_program() const {
    auto macros = lattice::opencl::storage_definitions<real>();
    for (const auto& macro : ladder::opencl::group_definitions<Compute>(group))
      macros.push_back(macro);
    return ladder::opencl::build(this->device_,
                                 {shared_source, ladder::opencl::common_text, lattice::opencl::places_text,
                                  lattice::opencl::storage_text, cells_text, boundary_text},
                                 macros);
  }

  std::optional<lattice::opencl::Buffer<cl_uint>> near_;  ///< near_cells(), if there are any
  lattice::opencl::Buffer<cl_uchar> flags_;
  lattice::opencl::Kernel fill_boundaries_;
  std::vector<lattice::opencl::Buffer<cl_long>> places_;  ///< locations of the state before each phase of the pattern
};

}  // namespace d3q19
