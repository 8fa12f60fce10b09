#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/key_values.hpp"
#include "base/lock.hpp"

namespace ladder {
namespace {

/// Delays terminating signals, so that no temporary file is left behind.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM})
      sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

std::string read_whole(const std::filesystem::path& path) try {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw FileError(path, 0, "is a folder; accepted: a file");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw FileError(path, 0, "is a device or a pipe; accepted: a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(path, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> block;
  while (in.read(block.data(), block.size()), in.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw FileError(path, 0, fmt::format("cannot be read to the end: {}", std::strerror(errno)));
  return text;
} catch (const std::bad_alloc&) {
  throw FileError(path, 0, "does not fit in memory");
}

std::string read_if_there(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw InputError(fmt::format("{}: cannot be made: {}", path.parent_path().string(), error.message()));

  const SignalsHeld held;
  const std::filesystem::path partial = path.string() + fmt::format(".{}.part", getpid());
  std::ofstream out(partial, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) {
    const std::string reason = std::strerror(errno);
    std::filesystem::remove(partial, error);
    throw InputError(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
  std::filesystem::rename(partial, path, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(partial, error);
    throw InputError(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
}

namespace {

constexpr std::string_view temporary_start = "ladder-run-";

/// Removes the temporary folders of programs that were killed: nobody holds their locks. Younger ones may not be locked yet.
void remove_abandoned(const std::filesystem::path& parent) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.size() == temporary_start.size() + 6 && name.starts_with(temporary_start) &&
                         std::all_of(name.end() - 6, name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    struct stat status {};
    if (!is_ours || lstat(entry.path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
        std::time(nullptr) - status.st_mtime < 60)
      continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
    close(descriptor);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (!error) parent = std::filesystem::absolute(parent, error);  // programs run in other folders
  std::string pattern = (parent / temporary_start).string() + "XXXXXX";
  if (error || mkdtemp(pattern.data()) == nullptr) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    std::string where = parent.string();
    for (const char* const variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})  // in the order in which the library looks at them
      if (const char* const value = std::getenv(variable); where.empty() && value != nullptr)
        where = fmt::format("{}='{}'", variable, value);
    if (where.empty()) where = "/tmp";
    throw InputError(fmt::format("{}: no folder for temporary files: {}; accepted: TMPDIR names a folder that can be written",
                                 where, reason));
  }
  path_ = pattern;
  descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  lock(descriptor_);
  static std::set<std::filesystem::path> swept;
  if (swept.insert(parent).second) remove_abandoned(parent);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (descriptor_ >= 0) close(descriptor_);
}

std::string found_on_path(const std::string& program, std::string_view more) {
  namespace fs = std::filesystem;
  const auto is_program = [](const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return is_program(program) ? fs::absolute(program).string() : "";
  const char* const path = std::getenv("PATH");
  const std::string folders = fmt::format("{}:{}", path == nullptr ? "" : path, more);
  for (const std::string_view folder : split(folders, ':'))
    if (!folder.empty() && is_program(fs::path(folder) / program)) return (fs::path(folder) / program).string();
  return "";
}

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

std::string hash_of(std::istream& bytes) {
  std::array<char, 1 << 16> block;  // the executables of sanitizers have tens of megabytes
  std::uint64_t hash = fnv1a("");
  while (bytes.read(block.data(), block.size()), bytes.gcount() > 0)
    hash = fnv1a({block.data(), static_cast<std::size_t>(bytes.gcount())}, hash);
  return fmt::format("{:016x}", hash);
}

}  // namespace ladder
