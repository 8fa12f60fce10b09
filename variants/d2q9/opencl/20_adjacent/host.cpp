#include "variants/d2q9/opencl/pass.hpp"

namespace d2q9 {
namespace {

template <class real>
class Steps final : public PassSolver<real> {
 public:
  Steps(const Case& c, const ladder::Tuning& tuning) : Steps(c, Pass::of(tuning, sizeof(real))) {}

 private:
  Steps(const Case& c, const Pass& pass) : PassSolver<real>(c, padded_rows<real>(c), pass, pass.setup()) {}
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/19_padded",
    .traffic = d2q9::Pass::traffic,
    .tunables = {d2q9::Pass::items_tunable(), d2q9::Pass::rows_tunable(), d2q9::Pass::steps_tunable(5),
                 d2q9::Pass::margin_tunable(), d2q9::Pass::cells_tunable()},
    .constraints = d2q9::Pass::constraints(),
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d2q9::Steps, d2q9::Model>,
};
