#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/opencl/buffer.hpp"

namespace ladder::opencl {

/// Flags of cells on the device, one byte each. The rows of `flags` are `width` long; on the device they are `pitch` >= `width`
/// apart, padded with 1.
inline Buffer<cl_uchar> padded_flags(const Device& device, std::span<const std::uint8_t> flags, std::size_t width,
                                     std::size_t pitch) {
  const std::size_t rows = flags.size() / width;
  std::vector<cl_uchar> padded(rows * pitch, 1);
  for (std::size_t row = 0; row < rows; ++row)
    std::ranges::copy(flags.subspan(row * width, width), padded.begin() + static_cast<std::ptrdiff_t>(row * pitch));
  Buffer<cl_uchar> buffer(device, padded.size());
  buffer.write(padded);
  return buffer;
}

}  // namespace ladder::opencl
