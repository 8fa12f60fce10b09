#pragma once

#include <string>

#include "backends/memory/available.hpp"
#include "harness/error.hpp"

namespace ladder {

/// This machine has too little memory for a case; a larger one may have enough.
class TooLarge : public Refused {
 public:
  explicit TooLarge(const std::string& message) : Refused(Reason::no_memory, message) {}
};

/// As require_memory(), for the arrays of a case. @throws TooLarge
inline void require_room(double bytes, const std::string& what) {
  try {
    require_memory(bytes, what);
  } catch (const InputError& e) {
    throw TooLarge(e.what());
  }
}

}  // namespace ladder
