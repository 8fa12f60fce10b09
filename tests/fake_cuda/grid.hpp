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

/// Bulk copies, made as late as possible: copies to shared memory when a thread waits for their barrier, copies from it when
/// the thread that started them waits. A thread that exits without waiting is an error.
void expect_loads(const void* barrier, std::size_t bytes);
void load_later(const void* barrier, void* to, const void* from, std::size_t bytes);
void make_loads(const void* barrier);
void store_later(void* to, const void* from, std::size_t bytes);
void make_stores();

/// Exits with the code for a failed backend.
[[noreturn]] void fail(const std::string& what);

}  // namespace fake_cuda
