#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>

namespace fake_cuda {

/// Bytes of shared memory that a block may ask for.
inline constexpr std::size_t most_shared = std::size_t{227} << 10;

/// Runs `thread()` for each thread of a grid: block by block in random order; in a block each thread until it waits or ends,
/// and then another one, at random. All shared memory starts as NaN, `shared` bytes of it are the block's dynamic one.
void run_grid(dim3 blocks, dim3 block, std::size_t shared, const std::function<void()>& thread);

/// Ends the program with the exit code of a backend that failed.
[[noreturn]] void fail(const std::string& what);

}  // namespace fake_cuda
