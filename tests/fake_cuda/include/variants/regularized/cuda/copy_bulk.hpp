#pragma once

#include <cuda/ptx>

#include "tests/fake_cuda/grid.hpp"

namespace regularized {

inline void initialize_bulk(std::uint64_t* barrier, unsigned arrivals) { ::cuda::ptx::mbarrier_init(barrier, arrivals); }
inline void expect_bulk(std::uint64_t* barrier, unsigned bytes) {
  fake_cuda::expect_loads(barrier, bytes);
  ::cuda::ptx::mbarrier_arrive(barrier);
}
inline void load_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  fake_cuda::load_later(barrier, to, from, bytes);
}
inline void wait_bulk(std::uint64_t* barrier, unsigned parity) {
  while (!::cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
  fake_cuda::make_loads(barrier);
}

inline void publish_bulk() {}
inline void store_bulk(void* to, const void* from, unsigned bytes) { fake_cuda::store_later(to, from, bytes); }
inline void wait_stored_bulk() { fake_cuda::make_stores(); }

}  // namespace regularized
