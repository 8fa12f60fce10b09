#pragma once

#include <cuda_pipeline.h>

namespace regularized {

template <int bytes>
void copy_async(void* to, const void* from) {
  __pipeline_memcpy_async(to, from, bytes);
}

}  // namespace regularized
