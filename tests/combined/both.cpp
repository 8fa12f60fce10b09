// Idea:    none: a rung with two backends, OpenMP threads and an OpenCL device
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a test of the build
// Bound:   none
#include <omp.h>

#include <vector>

#include "backends/opencl/device.hpp"
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

/// Uses the compiler flags and libraries of both backends.
struct Both : mutants::Correct {
  template <class Solver>
  static auto sweep(Solver& solver) {
    static const ladder::opencl::Device device = ladder::opencl::Device::select();
    std::vector<int> names(omp_get_max_threads());
#pragma omp parallel
    names[omp_get_thread_num()] = static_cast<int>(device.name().size());
    for (const int length : names)
      if (length == 0) throw ladder::Unavailable("a thread saw no device");
    return mutants::Correct::sweep(solver);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Both>();

}  // namespace d2q9
