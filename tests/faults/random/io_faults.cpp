// A library that is loaded into `ladder` with LD_PRELOAD. It makes random calls on files below a folder fail, as on a full or
// broken disk.
//   LADDER_IO_FAULTS_BELOW  the folder
//   LADDER_IO_FAULTS_SEED   seed that determines which calls fail
//   LADDER_IO_FAULTS_EVERY  n: one call in n fails on average
//   LADDER_IO_FAULTS_LOG    file that receives one line per failed call
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

struct Plan {
  std::string below = variable("LADDER_IO_FAULTS_BELOW");
  std::uint64_t seed = std::strtoull(variable("LADDER_IO_FAULTS_SEED").c_str(), nullptr, 10);
  std::uint64_t every = std::max(1ull, std::strtoull(variable("LADDER_IO_FAULTS_EVERY").c_str(), nullptr, 10));
  std::string log = variable("LADDER_IO_FAULTS_LOG");
};

const Plan& plan() {
  static const Plan the_plan;
  return the_plan;
}

/// The next element of the pseudo-random sequence (splitmix64).
std::uint64_t next_random() {
  static std::atomic<std::uint64_t> count{0};
  std::uint64_t z = plan().seed + 0x9e3779b97f4a7c15u * ++count;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr int a_part_only = -1;  // not an error: the call transfers only some of the bytes

/// The fault of this call on `path`, one of `errors`, or 0 for none.
int fault(const char* call, std::string_view path, std::initializer_list<int> errors) {
  if (plan().below.empty() || !path.starts_with(plan().below) || next_random() % plan().every != 0) return 0;
  const int error = errors.begin()[next_random() % errors.size()];
  // System calls, because this library replaces the C library's functions.
  const std::string line = std::string(call) + " " + std::to_string(error) + " " + std::string(path) + "\n";
  const auto log = syscall(SYS_openat, AT_FDCWD, plan().log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  syscall(SYS_write, log, line.data(), line.size());
  syscall(SYS_close, log);
  if (error > 0) errno = error;
  return error;
}

int fault(const char* call, int descriptor, std::initializer_list<int> errors) {
  char path[4096];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
  return size <= 0 ? 0 : fault(call, std::string_view(path, static_cast<std::size_t>(size)), errors);
}

/// The original of a replaced function.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int open_fault(const char* path, int flags) {
  return (flags & O_ACCMODE) == O_RDONLY ? fault("open", path, {EIO}) : fault("open", path, {EIO, ENOSPC});
}

int fopen_fault(const char* path, const char* mode) {
  return mode[0] == 'r' && std::string_view(mode).find('+') == std::string_view::npos ? fault("fopen", path, {EIO})
                                                                                      : fault("fopen", path, {EIO, ENOSPC});
}

mode_t mode_of(int flags, va_list arguments) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

#define REAL(name) static auto* const real_one = real<decltype(name)>(#name)

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  REAL(open);
  return open_fault(path, flags) != 0 ? -1 : real_one(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  REAL(open64);
  return open_fault(path, flags) != 0 ? -1 : real_one(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  REAL(openat);
  return open_fault(path, flags) != 0 ? -1 : real_one(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  return fopen_fault(path, mode) != 0 ? nullptr : real_one(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64);
  return fopen_fault(path, mode) != 0 ? nullptr : real_one(path, mode);
}

DIR* opendir(const char* path) {
  REAL(opendir);
  return fault("opendir", path, {EIO}) != 0 ? nullptr : real_one(path);
}

ssize_t read(int descriptor, void* data, std::size_t size) {
  REAL(read);
  const int error = fault("read", descriptor, {EIO, a_part_only});
  return error > 0 ? -1 : real_one(descriptor, data, error == a_part_only ? (size + 1) / 2 : size);
}

ssize_t pread(int descriptor, void* data, std::size_t size, off_t place) {
  REAL(pread);
  const int error = fault("pread", descriptor, {EIO, a_part_only});
  return error > 0 ? -1 : real_one(descriptor, data, error == a_part_only ? (size + 1) / 2 : size, place);
}

ssize_t write(int descriptor, const void* data, std::size_t size) {
  REAL(write);
  const int error = fault("write", descriptor, {EIO, ENOSPC, EINTR, a_part_only, a_part_only});
  return error > 0 ? -1 : real_one(descriptor, data, error == a_part_only ? (size + 1) / 2 : size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  REAL(writev);
  const int error = fault("writev", descriptor, {EIO, ENOSPC, a_part_only});
  return error > 0 ? -1 : real_one(descriptor, parts, error == a_part_only ? 1 : count);
}

int fsync(int descriptor) {
  REAL(fsync);
  return fault("fsync", descriptor, {EIO, ENOSPC}) != 0 ? -1 : real_one(descriptor);
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  return fault("fdatasync", descriptor, {EIO, ENOSPC}) != 0 ? -1 : real_one(descriptor);
}

int ftruncate(int descriptor, off_t size) noexcept {
  REAL(ftruncate);
  return fault("ftruncate", descriptor, {EIO}) != 0 ? -1 : real_one(descriptor, size);
}

int rename(const char* from, const char* to) noexcept {
  REAL(rename);
  return fault("rename", to, {EIO, ENOSPC}) != 0 ? -1 : real_one(from, to);
}

int mkdir(const char* path, mode_t mode) noexcept {
  REAL(mkdir);
  return fault("mkdir", path, {EIO, ENOSPC}) != 0 ? -1 : real_one(path, mode);
}

}  // extern "C"
