/// Asynchronous copies to shared memory, made as late as their thread permits.
#pragma once

#include <cstddef>

void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes);
void __pipeline_commit();
/// Waits for all groups of copies of this thread except the last `later` groups.
void __pipeline_wait_prior(std::size_t later);
