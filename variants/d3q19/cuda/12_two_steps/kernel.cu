// Idea:    two steps per pass through memory: a block takes both for a tile of a plane, and loads the next plane in between
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, a byte of flags per cell
// Traffic: 19 numbers of each fluid cell and a flag read, 19 numbers and the returned populations written every two steps;
//          a block also reads two more planes, and a margin, which mostly comes from the L2 cache
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   the latency of loads and barriers: registers limit a multiprocessor to 640 threads (512 in double precision)
#include "variants/d3q19/cuda/two_steps.hpp"

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::two_step_traffic,
    .tunables = d3q19::two_step_tunables({.columns = 64, .rows = 7, .planes = 32}),
    .constraints = d3q19::two_step_constraints(),
    .make = ladder::make_solver<d3q19::TwoStepTunnel, d3q19::Model>,
};
