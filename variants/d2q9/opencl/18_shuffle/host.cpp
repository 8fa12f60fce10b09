#include "backends/opencl/shuffle.hpp"
#include "variants/d2q9/opencl/pass.hpp"

namespace d2q9 {
namespace {

template <class real>
class Steps final : public PassSolver<real> {
 public:
  Steps(const Case& c, const ladder::Tuning& tuning) : Steps(c, Pass::of(tuning, sizeof(real))) {}

 private:
  Steps(const Case& c, const Pass& pass) : PassSolver<real>(c, padded_rows<real>(c), pass, setup_of(pass)) {
    this->require_one_sub_group();
  }

  static lattice::opencl::Setup setup_of(const Pass& pass) {
    auto setup = pass.setup();
    const auto shuffles = ladder::opencl::Shuffles::of(setup.device);
    for (const auto& definition : shuffles.definitions(sizeof(real)))
      setup.macros.push_back(definition);
    setup.texts.push_back(ladder::opencl::shuffle_text);
    setup.language = shuffles.language;
    return setup;
  }
};

/// @throws ladder::Unavailable if the device does not support shuffles
std::vector<ladder::Constraint> device_constraints() {
  auto constraints = lattice::opencl::device_row_constraints();
  if (ladder::opencl::Shuffles::of(ladder::opencl::Device::select()).by_ptx)
    constraints.push_back({"wx == 32 (a warp)", [](const ladder::Tuning& t) { return t.at("wx") == 32; }});
  return constraints;
}

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/17_prefetch",
    .traffic = d2q9::Pass::traffic,
    .tunables = {d2q9::Pass::items_tunable(), d2q9::Pass::rows_tunable(), d2q9::Pass::steps_tunable(5),
                 d2q9::Pass::margin_tunable(), d2q9::Pass::cells_tunable()},
    .constraints = d2q9::Pass::constraints(),
    .device_constraints = d2q9::device_constraints,
    .make = ladder::make_solver<d2q9::Steps, d2q9::Model>,
};
