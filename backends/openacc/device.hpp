#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace ladder::openacc {

/// The device that runs the loops: a GPU, or one CPU thread, which shares the program's memory. It is selected for the whole
/// process.
class Device {
 public:
  /// The GPU with the index in the environment variable LADDER_OPENACC_DEVICE, or this processor if the variable is `host`. By
  /// default GPU 0, or this processor if there is no GPU.
  /// @throws Unavailable if the variable names no device
  static Device select();

  [[nodiscard]] bool is_processor() const { return number_ < 0; }
  [[nodiscard]] int number() const { return number_; }  ///< index of the GPU; -1: this processor
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::size_t memory() const;  ///< bytes of the GPU's memory; 0 for the processor

  /// @throws InputError if `what` needs more `bytes` than the GPU has
  void require_memory(double bytes, std::string_view what) const;
  /// Allocates `bytes` of device memory, to be released with acc_free(). @throws InputError if there is not enough free memory
  [[nodiscard]] void* allocate(std::size_t bytes) const;
  /// Returns when all queues are empty.
  void wait() const;

 private:
  explicit Device(int number) : number_(number) {}

  int number_;
};

/// Interprets `wanted`, the value of LADDER_OPENACC_DEVICE, on a machine with `gpus` GPUs; -1 stands for the processor. Null or
/// empty selects the default.
/// @throws Unavailable if there is no such device
int chosen_device(const char* wanted, int gpus);

}  // namespace ladder::openacc
