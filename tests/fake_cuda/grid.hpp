#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>

namespace fake_cuda {

/// Maximum shared memory of a block, in bytes.
inline constexpr std::size_t most_shared = std::size_t{227} << 10;

/// Runs `thread()` for each thread of a grid. Blocks run one by one in random order; within a block, each thread runs until it
/// waits or ends, then another is chosen at random. All shared memory starts as NaN; `shared` bytes of it are dynamic.
void run_grid(dim3 blocks, dim3 block, std::size_t shared, const std::function<void()>& thread);

/// Exits with the code for a failed backend.
[[noreturn]] void fail(const std::string& what);

}  // namespace fake_cuda
