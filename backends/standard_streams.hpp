#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace ladder {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null. Otherwise the next file that is opened gets such a
/// number, and what the program prints is written into it. To be called first thing in `main`.
inline void open_standard_streams() {
  int descriptor = STDIN_FILENO;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO)
    descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

}  // namespace ladder
