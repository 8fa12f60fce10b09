#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace ladder {

/// Bytes that this process may still allocate: the available memory that the operating system reports, within the control
/// group's limit.
double available_memory();

/// @throws InputError if `bytes` exceed available_memory(); it names `what`, the bytes needed and the bytes available
void require_memory(double bytes, std::string_view what);

/// This machine has too little memory for a case; a larger machine may have enough.
class TooLarge : public Refused {
 public:
  explicit TooLarge(const std::string& message) : Refused(Reason::no_memory, message) {}
};

/// Like require_memory(), for the arrays of a case. @throws TooLarge
inline void require_room(double bytes, const std::string& what) {
  try {
    require_memory(bytes, what);
  } catch (const InputError& e) {
    throw TooLarge(e.what());
  }
}

}  // namespace ladder
