#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace ladder::openacc {

/// Where the loops run: a GPU, or one thread of this processor, which has the same memory as the rest of the program. Selected
/// for the whole process.
class Device {
 public:
  /// The GPU whose number is in the environment variable LADDER_OPENACC_DEVICE, or this processor, if it is `host`; by default
  /// GPU 0, or this processor if there is no GPU.
  /// @throws Unavailable if it names no device
  static Device select();

  [[nodiscard]] bool is_processor() const { return number_ < 0; }
  [[nodiscard]] int number() const { return number_; }  ///< of the GPU; -1: this processor
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::size_t memory() const;  ///< bytes of a GPU; 0 for the processor

  /// @throws InputError if `bytes` are more than the GPU has for `what`
  void require_memory(double bytes, std::string_view what) const;
  /// `bytes` of the device's memory, to be given to acc_free(). @throws InputError if there is not that much free memory
  [[nodiscard]] void* allocate(std::size_t bytes) const;
  /// Returns when all queues are empty.
  void wait() const;

 private:
  explicit Device(int number) : number_(number) {}

  int number_;
};

/// The device that `wanted`, the value of LADDER_OPENACC_DEVICE, names on a machine with so many GPUs; -1: the processor. Null
/// or empty: the default.
/// @throws Unavailable if there is none of that name
int chosen_device(const char* wanted, int gpus);

}  // namespace ladder::openacc
