#pragma once

#include <cstdint>
#include <vector>

#include "variants/d3q19/boundary.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q19 {

/// Base of the CPU rungs: adds cell flags and boundaries to the lattices. Between calls of advance(), boundary cells hold the
/// populations that come back from them.
template <class real, template <class, class> class LayoutOf, class Pattern = lattice::Pull>
class ProcessorSolver : public lattice::ProcessorSolver<Model, real, LayoutOf, Pattern> {
  using Base = lattice::ProcessorSolver<Model, real, LayoutOf, Pattern>;
  using Compute = lattice::Compute<real>;

 public:
  void load(const ladder::Populations& in) override {
    Base::load(in);
    fill_boundaries();
  }

 protected:
  using Base::case_, Base::layout_, Base::f_;

  /// The rung calls initialize_row() for every row, and then fill_boundaries().
  explicit ProcessorSolver(const Case& c)
      : Base(c),
        near_(near_cells(c)),
        flags_(static_cast<std::size_t>(layout_.cell_span_size())),
        omega_(static_cast<Compute>(c.omega())),
        omega_minus_(static_cast<Compute>(c.omega_minus())),
        speed_(static_cast<Compute>(c.speed)) {}

  /// First-touches row y of plane z in the lattices and the flags; columns that are not cells are marked as walls.
  void initialize_row(int y, int z) {
    this->initialize(y, z);
    for (std::int64_t x = 0; x < layout_.columns(); ++x) {
      const int kind = x < case_.nx ? case_.kind(x, y, z) : D3Q19_WALL;
      flags_.data()[layout_.cell(x, y, z)] = static_cast<std::uint8_t>(kind != 0                ? kind
                                                                       : case_.is_near(x, y, z) ? D3Q19_FLUID | D3Q19_NEAR
                                                                                                : D3Q19_FLUID);
    }
  }

  /// Writes the populations that return to the k-th near cell in the next step into the boundary cells around it. `places`: the
  /// current places().
  void return_populations(const lattice::Places& places, std::size_t k) {
    const auto [x, y, z] = ladder::Box{{}, case_.grid()}.place(near_[k]);
    d3q19::return_populations(f_.data(), places, case_, x, y, z);
  }

  /// Writes all returned populations into the boundary cells, starting separate threads; for use before the first step.
  void fill_boundaries() { d3q19::fill_boundaries(f_.data(), this->places(), case_, near_); }

  const std::vector<std::uint32_t> near_;  ///< near_cells()
  ladder::Array<std::uint8_t> flags_;      ///< [layout_.cell(x, y, z)], as returned by flags()
  const Compute omega_, omega_minus_, speed_;
};

}  // namespace d3q19
