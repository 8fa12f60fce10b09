#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace ladder {

/// Opens each of the descriptors 0, 1 and 2 that is closed on /dev/null. Otherwise the next file that is opened gets such a
/// number, and the program's output is written into that file. Must be called at the start of `main`.
inline void open_standard_streams() {
  int descriptor = STDIN_FILENO;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO)
    descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

}  // namespace ladder
