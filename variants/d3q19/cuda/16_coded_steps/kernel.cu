// Idea:    two steps per pass, and a byte per cell that names its neighbourhood in place of 18 flags
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, a byte per cell, a table
// Traffic: 19 numbers of each fluid cell and a code read, 19 numbers and the returned populations written every two steps;
//          a block also reads two more planes, and a margin, which mostly comes from the L2 cache
// Source:  A. Nguyen et al., SC 2010, as d3q19/cuda/12_two_steps; this project
// Bound:   the latency of loads and barriers: registers limit a multiprocessor to 640 threads (512 in double precision)
#include "variants/d3q19/cuda/coded.hpp"
#include "variants/d3q19/cuda/two_steps.hpp"

namespace d3q19 {
namespace {

template <class real>
using Tunnel = TwoStepSolver<real, CodedSolver>;

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/12_two_steps",
    .traffic = d3q19::two_step_traffic,
    .tunables = d3q19::two_step_tunables({.columns = 64, .rows = 7, .planes = 32}),
    .constraints = d3q19::two_step_constraints(),
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
