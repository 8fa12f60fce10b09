#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr lattice::opencl::OwnGroups groups{.processor = {1, 8}, .other = {128, 1}};

template <class real>
class Fused final : public OpenclSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : Fused(c, setup_of(c, tuning)) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      timestep_(items_,
                {{"f", this->f()}, {"g", this->g()}, {"first", speeds_.first()}, {"driven", this->driven(step, steps)}});
      this->swap_lattices();
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  Fused(const Case& c, const lattice::opencl::Setup& setup)
      : OpenclSolver<real>(c, padded_rows<real>(c, setup.row_alignment<real>()), setup),
        items_(this->grid_.in_spans(setup.strip)) {}

  /// On a CPU, which fetches every line before writing it, stores bypass the cache if two copies of the lattice exceed it.
  static lattice::opencl::Setup setup_of(const Case& c, const ladder::Tuning& tuning) {
    auto setup = lattice::opencl::vector_setup<real>(tuning, groups);
    const bool exceeds = 2.0 * q * static_cast<double>(c.cells()) * sizeof(real) > setup.device.cache_bytes();
    setup.macros = {{"bypass_cache", setup.device.is_processor() && exceeds ? "1" : "0"}};
    return setup;
  }

  const ladder::opencl::Shape items_;
  ladder::opencl::DeferredSums<real> speeds_{this->device_, this->group_, items_, this->case_.fluid_cells()};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"speeds", speeds_.sums()}});
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/11_strips",
    .traffic = d2q9::traffic,
    .tunables = {lattice::opencl::wx_tunable(0), lattice::opencl::wy_tunable(0), lattice::opencl::width_tunable(),
                 lattice::opencl::strip_tunable()},
    .constraints = lattice::opencl::group_sum_constraints(),
    .device_constraints = lattice::opencl::device_group_constraints<d2q9::groups>,
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
