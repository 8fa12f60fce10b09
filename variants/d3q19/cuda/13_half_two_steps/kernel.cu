// Idea:    two steps per pass through memory, with populations stored in half precision
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, a byte of flags per cell
// Traffic: 19 numbers of each fluid cell and a flag read, 19 numbers and the returned populations written every two steps;
//          a block also reads two more planes, and a margin, which mostly comes from the L2 cache
// Source:  M. Lehmann et al., Phys. Rev. E 106 (2022) 015308, FP16S; A. Nguyen et al., SC 2010, as d3q19/cuda/12_two_steps
// Bound:   the latency of loads and barriers: registers limit a multiprocessor to 640 threads
#include "variants/d3q19/cuda/two_steps.hpp"

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/12_two_steps",
    .traffic = d3q19::two_step_traffic,
    .tunables = d3q19::two_step_tunables({.columns = 64, .rows = 7, .planes = 32}),
    .constraints = d3q19::two_step_constraints(),
    .make = ladder::make_solver<d3q19::TwoStepTunnel, d3q19::Model, ladder::Stored<ladder::Half>>,
};
