#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <iostream>

#include "base/error.hpp"

namespace ladder {

/// Connects closed descriptors among 0, 1 and 2 to /dev/null. Otherwise the next file to be opened would get such a descriptor
/// and receive the program's output. Must be called at the start of `main`.
inline void open_standard_streams() {
  int descriptor = STDIN_FILENO;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO)
    descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

/// Flushes standard output and returns the exit code for a program that would otherwise exit with `code`: exit_bad_input
/// instead of exit_ok if some output could not be written.
inline int written(int code) {
  if (std::cout.flush()) return code;
  std::cerr << "standard output cannot be written (is the disk full?)\n";
  return code == exit_ok ? exit_bad_input : code;
}

}  // namespace ladder
