#include "base/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "base/lock.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Creates `folder` and returns the created folders, deepest first.
std::vector<fs::path> make_folder(const fs::path& folder) {
  if (folder.empty()) throw InputError("the name of the folder to write to is empty");
  std::error_code error;
  std::vector<fs::path> made;
  const fs::path place = fs::weakly_canonical(fs::absolute(folder), error);
  const auto refuse = [&](const std::string& reason) {
    throw InputError(fmt::format("{}: cannot be made a folder to write to{}", folder.string(), reason));
  };
  if (error) refuse(": " + error.message());
  for (fs::path p = place; !fs::exists(p, error) && p.has_relative_path(); p = p.parent_path())
    made.push_back(p);
  fs::create_directories(place, error);
  const std::string reason = error ? ": " + error.message() : "";
  if (!error && fs::is_directory(folder, error)) return made;
  for (const auto& p : made)
    rmdir(p.c_str());
  refuse(reason);
  return {};
}

/// Incomplete files are named `.<name>.ladder-<process>-<number>`.
constexpr std::string_view partial_mark = ".ladder-";
std::string partial_start(const std::string& name) { return fmt::format(".{}{}", name, partial_mark); }

/// A file written under a temporary name and removed unless it is renamed.
class Partial {
 public:
  /// @throws InputError if it cannot be created
  Partial(const fs::path& folder, const std::string& name) : place_(folder / name) {
    std::error_code error;
    if (fs::is_directory(place_, error)) fail("it is a folder");
    for (int number = 0; descriptor_ < 0; ++number) {
      path_ = folder / fmt::format("{}{}-{}", partial_start(name), getpid(), number);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) fail(std::strerror(errno));
    }
  }
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;
  ~Partial() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  /// Returns once the text is on disk. @throws InputError
  void write(std::string_view text) {
    if (!write_all(descriptor_, text) || fsync(descriptor_) != 0) fail(std::strerror(errno));
    if (close(std::exchange(descriptor_, -1)) != 0) fail(std::strerror(errno));
  }

  /// @throws InputError
  void take_place() {
    if (rename(path_.c_str(), place_.c_str()) != 0) fail(std::strerror(errno));
    path_.clear();
  }

 private:
  [[noreturn]] void fail(std::string_view reason) const {
    throw InputError(fmt::format("{}: cannot be written: {}", place_.string(), reason));
  }

  fs::path place_, path_;
  int descriptor_ = -1;
};

/// Removes incomplete files for these names.
void remove_partials(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    for (const auto& name : names)
      if (entry.path().filename().string().starts_with(partial_start(name))) unlink(entry.path().c_str());
}

/// Once per folder, removes incomplete files of programs that were killed. Keeps files younger than an hour, which may belong
/// to a program on another machine, whose clock may differ.
void remove_abandoned_partials(const fs::path& folder) {
  static std::set<fs::path> swept;
  if (!swept.insert(folder).second) return;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), none; !error && at != none; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::size_t end = name.rfind(partial_mark);
    int process = 0, number = 0;
    if (!name.starts_with('.') || end == std::string::npos ||
        std::sscanf(name.c_str() + end + partial_mark.size(), "%d-%d", &process, &number) != 2 || process <= 0)
      continue;
    struct stat status {};
    if (lstat(at->path().c_str(), &status) == 0 && S_ISREG(status.st_mode) && std::time(nullptr) - status.st_mtime >= 3600 &&
        kill(process, 0) != 0 && errno == ESRCH)
      unlink(at->path().c_str());
  }
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder, const std::vector<std::string>& names) : OutputFolder(make_folder(folder)) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock(descriptor_))
    remove_partials(folder, names);
  else if (errno == EWOULDBLOCK)
    throw InputError(
        fmt::format("{}: another process{} is writing to this folder; wait until it has ended, or name another folder",
                    folder.string(), lock_holder(descriptor_)));
  for (const auto& name : names)
    Partial(folder, name).write("");
}

OutputFolder::~OutputFolder() {
  for (const auto& p : made_)
    rmdir(p.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

void require_writable(const fs::path& folder, const std::vector<std::string>& names) { OutputFolder(folder, names); }

void write_files(const fs::path& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  make_folder(folder);
  remove_abandoned_partials(folder);
  std::deque<Partial> partials;
  for (const auto& [name, text] : files)
    partials.emplace_back(folder, name).write(text);
  for (auto& partial : partials)
    partial.take_place();
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace ladder
