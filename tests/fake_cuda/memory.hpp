#pragma once

#include <cstddef>

/// Device memory. Each array starts as NaN and lies between inaccessible pages. The array itself is accessible only while a
/// kernel or copy that may access it is running. Any other access ends the program with a message.
namespace fake_cuda {

/// An array of a device, or page-locked memory of the host (device -1).
struct Array {
  unsigned char* data;
  std::size_t bytes;
  int device;
  void* pages;
  std::size_t all_bytes;  ///< size of the pages
  int file;               ///< that holds the pages of a device's array, so that other processes can map it; else -1
};

/// Where other processes find an array.
struct Name {
  int process, file;
  std::size_t bytes;
};

/// Null if out of memory.
void* allocate(std::size_t bytes, int device);
[[nodiscard]] Name name_of(const Array& array);
/// Maps another process's array so that `device` may access it; null if that fails.
void* map(const Name& name, int device);
/// False if there is no such array.
bool release(void* data);
/// The array that contains an address; null if the address is in ordinary host memory.
const Array* array_of(const void* address);

/// Lets a device access a peer's memory.
void enable_peer(int device, int peer);
[[nodiscard]] bool is_peer(int device, int peer);

/// Makes the arrays that a device may access accessible during its lifetime; all arrays for -1, as for a copy.
class Access {
 public:
  explicit Access(int device) : device_(device) { set(true); }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  ~Access() { set(false); }

 private:
  void set(bool accessible) const;

  int device_;
};

}  // namespace fake_cuda
