#pragma once

#include <cstdint>

#include "backends/cuda/device.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/places.hpp"

/// States in GPU memory. Kernels gather, scatter and sum the populations of a box through a state's places, so that no other
/// code depends on a rung's layout and pattern. Copies go through page-locked memory of bounded size.
namespace lattice::cuda {

/// Copies the populations of the cells in `out.box` from `f` on the device, once all earlier work is done.
template <class real>
void store(const ladder::cuda::Device& device, const real* f, const Places& places, ladder::Populations& out);

/// Copies the populations of the cells in `in.box` to `f` on the device; returns when done. If `repeats` is more than one, the
/// box consists of the first whole rows or planes of the lattice, and the next `repeats - 1` boxes are set to the same state.
template <class real>
void load(const ladder::cuda::Device& device, real* f, const Places& places, const ladder::Populations& in,
          std::int64_t repeats = 1);

/// Returns the sum of all populations of all cells, in double and compensated, once all earlier work is done.
template <class real>
double sum(const ladder::cuda::Device& device, const real* f, const Places& places);

}  // namespace lattice::cuda
