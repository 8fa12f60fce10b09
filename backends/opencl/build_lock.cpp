#include "backends/opencl/build_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ladder::opencl {
namespace {

namespace fs = std::filesystem;

/// The value of an environment variable as a path; empty if unset.
fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// The folder where PoCL caches compiled code; empty if the environment does not determine it.
fs::path cache_folder() {
  if (fs::path own = folder_in("POCL_CACHE_DIR"); !own.empty()) return own;
  if (const fs::path caches = folder_in("XDG_CACHE_HOME"); !caches.empty()) return caches / "pocl/kcache";
  const fs::path home = folder_in("HOME");
  return home.empty() ? fs::path() : home / ".cache/pocl/kcache";
}

}  // namespace

BuildLock::BuildLock() {
  if (const fs::path folder = cache_folder(); !folder.empty()) {
    std::error_code error;  // reported by take()
    fs::create_directories(folder, error);
    while (take(folder / "ladder.lock")) {
      // If the cache was deleted while this process waited, other processes lock a new file: lock that one instead.
      if (fs::equivalent(file_, "/proc/self/fd/" + std::to_string(descriptor_), error)) return;
      close(descriptor_);
      fs::create_directories(folder, error);
    }
  }
  const fs::path temporary = folder_in("TMPDIR");
  const fs::path file = (temporary.empty() ? "/tmp" : temporary) / ("ladder-pocl-" + std::to_string(geteuid()) + ".lock");
  if (!take(file)) throw std::system_error(errno, std::generic_category(), file.string() + ": cannot be locked");
}

BuildLock::~BuildLock() { close(descriptor_); }

bool BuildLock::take(const fs::path& file) {
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0) return false;
  int failed = 0;
  do
    failed = flock(descriptor_, LOCK_EX);
  while (failed != 0 && errno == EINTR);
  if (failed == 0) {
    file_ = file;
    return true;
  }
  const int reason = errno;
  close(descriptor_);
  errno = reason;
  return false;
}

}  // namespace ladder::opencl
