#pragma once

#include <cstddef>

/// Memory of the devices. Each array starts as NaN and lies between pages that nothing may access; it is itself accessible only
/// while a kernel or a copy runs that may access it. Everything else ends the program with a message.
namespace fake_cuda {

/// An array of a device, or page-locked memory of the host (device -1).
struct Array {
  unsigned char* data;
  std::size_t bytes;
  int device;
  void* pages;
  std::size_t all_bytes;  ///< of the pages
};

/// Null if there is no memory.
void* allocate(std::size_t bytes, int device);
/// Whether there was such an array.
bool release(void* data);
/// The array that contains an address, null if there is none: it is the host's own memory.
const Array* array_of(const void* address);

/// Lets a device access its own memory and that of its peers.
void enable_peer(int device, int peer);
[[nodiscard]] bool is_peer(int device, int peer);

/// While it lives, the arrays that a device may access are accessible; for -1 all, as for a copy.
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
