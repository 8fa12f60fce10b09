#pragma once

#include <filesystem>

namespace ladder::opencl {

/// While it exists, no other process has one: keeps processes from building programs into PoCL's kernel cache at the same time,
/// where one may read what another has not finished. The operating system releases it if the process ends in any way.
class BuildLock {
 public:
  /// Waits until no other process builds. The lock is a file in the folder of PoCL's cache or, if that cannot be written, the
  /// user's own file in the folder for temporary files. @throws std::system_error if neither can be locked
  BuildLock();
  ~BuildLock();
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  /// Whether it could lock the file; sets errno if not.
  bool take(const std::filesystem::path& file);

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace ladder::opencl
