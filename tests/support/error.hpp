#pragma once

#include <string>

#include "base/error.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {

/// The message of the InputError that `call` throws. The test fails if none is thrown.
template <class F>
std::string input_error(F call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "expected an InputError";
  return "";
}

}  // namespace ladder::test
