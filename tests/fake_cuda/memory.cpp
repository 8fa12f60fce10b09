#include "tests/fake_cuda/memory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tests/fake_cuda/grid.hpp"

namespace fake_cuda {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t alignment = 16;  // of the end of an array: no kernel access is wider

std::map<const unsigned char*, Array>& arrays() {
  static std::map<const unsigned char*, Array> all;  // keyed by the first byte
  return all;
}
std::set<std::pair<int, int>>& peers() {
  static std::set<std::pair<int, int>> all;
  return all;
}
int accessing = -2;  ///< the device whose kernel runs, -1 in a copy, -2 if neither runs

/// Explains a forbidden access and ends the program.
void explain(int, siginfo_t* info, void*) {
  const auto* const address = static_cast<const unsigned char*>(info->si_addr);
  const std::string who = accessing >= 0    ? "a kernel of device " + std::to_string(accessing)
                          : accessing == -1 ? "a copy"
                                            : "the host";
  for (const auto& [first, array] : arrays()) {
    const auto* const pages = static_cast<const unsigned char*>(array.pages);
    if (address < pages || address >= pages + array.all_bytes) continue;
    const std::string of = "an array of " + std::to_string(array.bytes) + " bytes of device " + std::to_string(array.device);
    if (address < first) fail(who + " accesses memory " + std::to_string(first - address) + " bytes before " + of);
    if (address >= first + array.bytes)
      fail(who + " accesses memory " + std::to_string(address - first - array.bytes) + " bytes after " + of);
    fail(who + " accesses " + of + ", which it must not");
  }
  char text[32];
  std::snprintf(text, sizeof text, "%p", info->si_addr);
  fail(who + " accesses the address " + text + ", which is in no array");
}

void explain_faults() {
  static std::array<unsigned char, 65536> stack;
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

/// Adds an array between two inaccessible pages, in the pages of a file unless that is -1. Null if there is not enough memory.
Array* add(std::size_t bytes, int device, int file) {
  [[maybe_unused]] static const bool once = (explain_faults(), true);
  const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
  const std::size_t inner = (size + page - 1) / page * page;
  void* const pages = mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<unsigned char*>(pages) + page;
  if (file < 0)
    mprotect(begin, inner, PROT_READ | PROT_WRITE);
  else if (ftruncate(file, static_cast<off_t>(inner)) != 0 ||
           mmap(begin, inner, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    munmap(pages, inner + 2 * page);
    return nullptr;
  }
  auto* const data = begin + inner - size;
  return &(arrays()[data] = {data, bytes, device, pages, inner + 2 * page, file});
}

}  // namespace

void* allocate(std::size_t bytes, int device) {
  const int file = device >= 0 ? memfd_create("device memory", MFD_CLOEXEC) : -1;
  if (device >= 0 && file < 0) return nullptr;
  const Array* const array = add(bytes, device, file);
  if (array == nullptr) return nullptr;
  if (device >= 0) {
    const Access own(device);
    std::memset(array->data, 0xFF, bytes);
  }
  return array->data;
}

Name name_of(const Array& array) { return {getpid(), array.file, array.bytes}; }

void* map(const Name& name, int device) {
  const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  const Array* const array = add(name.bytes, device, file);
  return array != nullptr ? array->data : nullptr;
}

bool release(void* data) {
  const auto array = arrays().find(static_cast<unsigned char*>(data));
  if (array == arrays().end()) return false;
  munmap(array->second.pages, array->second.all_bytes);
  if (array->second.file >= 0) close(array->second.file);
  arrays().erase(array);
  return true;
}

const Array* array_of(const void* address) {
  const auto* const byte = static_cast<const unsigned char*>(address);
  const auto after = arrays().upper_bound(byte);
  if (after == arrays().begin()) return nullptr;
  const Array& array = std::prev(after)->second;
  return byte < array.data + array.bytes ? &array : nullptr;
}

void enable_peer(int device, int peer) { peers().insert({device, peer}); }
bool is_peer(int device, int peer) { return device == peer || peers().count({device, peer}) > 0; }

void Access::set(bool accessible) const {
  accessing = accessible ? device_ : -2;
  for (const auto& [first, array] : arrays())
    if (array.device >= 0 && (device_ < 0 || is_peer(device_, array.device)))
      mprotect(static_cast<unsigned char*>(array.pages) + page, array.all_bytes - 2 * page,
               accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace fake_cuda
