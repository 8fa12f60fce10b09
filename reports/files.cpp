#include "reports/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.hpp"

namespace ladder::reports {

namespace {

/// Delays the signals that would end the program, so that no temporary file is left behind.
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

void write_whole(const std::filesystem::path& path, std::string_view content) {
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

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string pattern = (parent / "ladder-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    throw InputError(fmt::format("{}: no folder for temporary files: {}; accepted: TMPDIR names a folder that can be written",
                                 parent.empty() ? "TMPDIR" : parent.string(), reason));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ladder::reports
