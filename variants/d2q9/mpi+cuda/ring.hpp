#pragma once

#include "variants/d2q9/cuda/device_strip.hpp"
#include "variants/lattice/cuda/ring.hpp"

namespace d2q9 {

using lattice::cuda::strip_on_device;

/// Base of the rungs whose kernels also write the rows at a strip's borders to the neighbours' GPUs.
template <class real>
class RingSolver : public lattice::cuda::RingState<DeviceStrip<real>, real> {
 protected:
  using lattice::cuda::RingState<DeviceStrip<real>, real>::RingState;

  /// Accelerates the driven row for the first step, and fills the neighbours' halos.
  void begin() {
    this->accelerate_own();
    this->fill_halos();
  }
};

}  // namespace d2q9
