#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace ladder {

/// Connects closed descriptors among 0, 1 and 2 to /dev/null. Otherwise the next file to be opened would get such a descriptor
/// and receive the program's output. Must be called at the start of `main`.
inline void open_standard_streams() {
  int descriptor = STDIN_FILENO;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO)
    descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

}  // namespace ladder
