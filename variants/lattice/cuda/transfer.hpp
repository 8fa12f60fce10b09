#pragma once

#include "backends/cuda/device.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/places.hpp"

/// States in a GPU's memory: kernels that gather and scatter the populations of a box through the places of a state, so that no
/// other code depends on layout and pattern of a rung, and that add populations up. Copies go through page-locked memory of a
/// bounded size.
namespace lattice::cuda {

/// Copies the populations of the cells of `out.box` from `f` on the device, once all earlier work is done.
template <class real>
void store(const ladder::cuda::Device& device, const real* f, const Places& places, ladder::Populations& out);

/// Copies the populations of the cells of `in.box` to `f` on the device; returns when done.
template <class real>
void load(const ladder::cuda::Device& device, real* f, const Places& places, const ladder::Populations& in);

/// The sum of all populations of all cells, in double and compensated, once all earlier work is done.
template <class real>
double sum(const ladder::cuda::Device& device, const real* f, const Places& places);

}  // namespace lattice::cuda
