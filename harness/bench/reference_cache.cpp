#include "harness/bench/reference_cache.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "base/file.hpp"
#include "base/hash.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// A file's header, followed by populations and history.
struct Header {
  std::array<char, 8> format = {'s', 't', 'a', 't', 'e', ' ', '1', '\n'};
  std::uint64_t key = 0;
  std::int64_t step = 0, q = 0;
  Triple origin = {}, extent = {};
  std::uint64_t history = 0;   ///< number of values
  std::uint64_t checksum = 0;  ///< of populations and history

  bool operator==(const Header&) const = default;
};

/// Checksum over the bits of all values.
std::uint64_t checksum(std::span<const double> values, std::uint64_t hash = 0x9e3779b97f4a7c15U) {
  for (const double value : values)
    hash = std::rotl((hash ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdU, 29);
  return hash;
}

std::span<const double> values_of(const Populations& state) { return {state.f.data(), state.f.size()}; }

std::uint64_t checksum(const Populations& state, std::span<const double> history) {
  return checksum(history, checksum(values_of(state)));
}

void read(std::istream& file, void* to, std::size_t bytes) {
  file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
}
void write(std::ostream& file, const void* from, std::size_t bytes) {
  file.write(static_cast<const char*>(from), static_cast<std::streamsize>(bytes));
}

}  // namespace

ReferenceCache ReferenceCache::from_environment() {
  const char* const folder = std::getenv("LADDER_REFERENCES");
  return folder == nullptr || *folder == '\0' ? ReferenceCache() : ReferenceCache(folder);
}

fs::path ReferenceCache::file_of(const std::string& key, std::int64_t step) const {
  return folder_ / fmt::format("{:016x}-{}.state", fnv1a(key), step);
}

bool ReferenceCache::load(const std::string& key, std::int64_t step, Populations& state, std::vector<double>& history) const {
  if (folder_.empty()) return false;
  const fs::path path = file_of(key, step);
  std::ifstream file(path, std::ios::binary);
  Header found;
  if (!file) return false;
  read(file, &found, sizeof(found));
  if (!file || found.history > static_cast<std::uint64_t>(step)) return false;
  history.resize(found.history);
  read(file, state.f.data(), state.f.size() * sizeof(double));
  read(file, history.data(), history.size() * sizeof(double));
  const bool is_whole = file && file.peek() == std::ifstream::traits_type::eof();
  const Header expected{.key = fnv1a(key),
                        .step = step,
                        .q = state.q,
                        .origin = state.box.origin,
                        .extent = state.box.extent,
                        .history = found.history,
                        .checksum = checksum(state, history)};
  if (!is_whole || found != expected) return false;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return true;
}

void ReferenceCache::save(const std::string& key, std::int64_t step, const Populations& state,
                          std::span<const double> history) const {
  const double bytes = sizeof(Header) + sizeof(double) * static_cast<double>(state.f.size() + history.size());
  if (folder_.empty() || bytes > most_bytes_ / 8) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  make_room(bytes);
  const fs::path path = file_of(key, step);
  const fs::path temporary = fmt::format("{}.{}", path.string(), getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    const Header header{.key = fnv1a(key),
                        .step = step,
                        .q = state.q,
                        .origin = state.box.origin,
                        .extent = state.box.extent,
                        .history = history.size(),
                        .checksum = checksum(state, history)};
    write(file, &header, sizeof(header));
    write(file, state.f.data(), state.f.size() * sizeof(double));
    write(file, history.data(), history.size() * sizeof(double));
    file.close();
    if (file) fs::rename(temporary, path, error);
  }
  fs::remove(temporary, error);
}

void ReferenceCache::make_room(double bytes) const {
  struct Entry {
    fs::file_time_type used;
    double bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::error_code error;
  double all = bytes;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const auto size = static_cast<double>(entry.file_size(error));
    if (error) continue;  // another process has removed it
    entries.push_back({entry.last_write_time(error), size, entry.path()});
    all += size;
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (auto oldest = entries.begin(); oldest != entries.end() && all > most_bytes_; ++oldest) {
    fs::remove(oldest->path, error);
    all -= oldest->bytes;
  }
}

std::string hash_of_library(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0) return "";
  std::ifstream file(info.dli_fname, std::ios::binary);
  return hash_of(file);
}

}  // namespace ladder
