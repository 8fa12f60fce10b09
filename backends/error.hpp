#pragma once

#include <stdexcept>

namespace ladder {

/// Something the user gave is wrong. The message names the file, line and value, and what is accepted. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A rung or backend cannot run on this machine (no device, no double precision). Exit code 3; the rung is skipped.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ladder
