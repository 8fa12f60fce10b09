// A library that is loaded into `ladder` with LD_PRELOAD and replaces perf_event_open().
//   LADDER_FAKE_PERF  a folder: if it has a file `errno`, every call fails with the error number in it. Otherwise, a counter is
//                     the file <type>.<config>, which a measured program fills with what the kernel would return.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

long open_counter(const perf_event_attr& event) {
  const std::string folder = getenv("LADDER_FAKE_PERF");
  if (std::ifstream file(folder + "/errno"); file >> errno) return -1;
  const std::string path = folder + "/" + std::to_string(event.type) + "." + std::to_string(event.config);
  return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

}  // namespace

extern "C" long syscall(long number, ...) {
  std::va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a)
    argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open) return open_counter(*reinterpret_cast<const perf_event_attr*>(a[0]));
  static const auto real = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
