#include "base/lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace ladder {

bool lock(int descriptor) {
  for (int tries = 0; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || tries == 20) return false;
    usleep(10000);
  }
  return true;
}

std::string lock_holder(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return {};
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:10952879 0 EOF; an arrow before the kind marks a waiting process
    std::istringstream words(line);
    std::string number, kind, how, access, place;
    long process = 0;
    if (!(words >> number >> kind >> how >> access >> process >> place) || kind != "FLOCK" || process <= 0) continue;
    if (place.substr(place.rfind(':') + 1) == std::to_string(file.st_ino)) return fmt::format(" (process {})", process);
  }
  return {};
}

}  // namespace ladder
