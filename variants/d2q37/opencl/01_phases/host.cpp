#include "harness/bench/phases.hpp"
#include "variants/d2q37/opencl/solver.hpp"

namespace d2q37 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const double walls = c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0, gas = c.is_reactive() ? 3 : 0;
  const double moved = (2 + walls) * 37 * real;
  return {{moved + (gas > 0 ? 37 + gas : 0) * real, moved + gas * real}};
}

template <class real>
class Phases final : public OpenclSolver<real>, public ladder::Phased {
 public:
  Phases(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real>(c, structure_of_arrays(c), {.group = lattice::opencl::group_shape(tuning)}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      stream();
      bc();
      if (this->case_.is_reactive()) gas();
      collide();
      this->bound_queue(step);
    }
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = {{"stream", [this] { stream(); }}, {"bc", [this] { bc(); }}};
    if (this->case_.is_reactive()) all.push_back({"gas", [this] { gas(); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 private:
  void stream() { stream_(this->cells_); }
  void bc() {
    if (this->has_walls_) bc_(this->wall_cells_);
  }
  void gas() { find_gas_(this->cells_); }
  void collide() { collide_(this->cells_); }

  const Tables<real> tables_{this->device_};
  const ladder::opencl::Buffer<real> gas_{
      this->device_, this->case_.is_reactive() ? 3 * static_cast<std::size_t>(this->strides_.q) : 1};  ///< [3][y][x]
  ladder::opencl::Kernel stream_ = this->kernel("stream", {{"f", this->f()}, {"g", this->g()}});
  ladder::opencl::Kernel bc_ = this->kernel("bc", {{"f", this->f()}, {"g", this->g()}});
  ladder::opencl::Kernel find_gas_ = this->kernel("find_gas", {{"g", this->g()}, {"gas", gas_}, {"project", tables_.project}});
  ladder::opencl::Kernel collide_ =
      this->kernel("collide", {{"g", this->g()},
                               {"f", this->f()},
                               {"gas", gas_},
                               {"project", tables_.project},
                               {"expand", tables_.expand},
                               {"is_walled", cl_int{this->has_walls_}},
                               {"t_bottom", real(this->case_.bottom)},
                               {"t_top", real(this->case_.top)},
                               {"burn_rate", real(this->case_.is_reactive() ? 1 / this->case_.reaction_time : 0)},
                               {"compensated", static_cast<cl_int>(this->case_.compensated)},
                               {"per_heat", real(this->case_.tau / (D2Q37_R * D2Q37_R))}});
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "",
    .traffic = d2q37::traffic,
    .tunables = d2q37::group_tunables(),
    .device_constraints = lattice::opencl::device_group_constraints,
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Phases, d2q37::Model>,
};
