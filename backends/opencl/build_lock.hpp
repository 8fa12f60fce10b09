#pragma once

#include <filesystem>

namespace ladder::opencl {

/// A lock held by at most one process at a time. It prevents processes from building programs into PoCL's kernel cache at the
/// same time, where one might read another's unfinished output. The operating system releases the lock when the process exits
/// for any reason.
class BuildLock {
 public:
  /// Waits until no other process is building. The lock is a file in PoCL's cache folder or, if that is not writable, a
  /// per-user file in the folder for temporary files. @throws std::system_error if neither can be locked
  BuildLock();
  ~BuildLock();
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  /// Tries to lock the file. Returns false and sets errno on failure.
  bool take(const std::filesystem::path& file);

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace ladder::opencl
