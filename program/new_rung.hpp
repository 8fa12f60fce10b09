#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// A new rung: a copy of its parent that follows it.
struct NewRung {
  std::filesystem::path folder;                            ///< folder of the rung, created by make_rung()
  std::vector<std::pair<std::string, std::string>> files;  ///< names and contents
  std::string kernel;                                      ///< name of the kernel file
  std::filesystem::path build_file;                        ///< CMakeLists.txt of the ladder
  std::string build_text;                                  ///< its contents with the new rung's line
};

/// Locks a folder for the lifetime of the object; other programs wait.
class FolderLock {
 public:
  /// A missing folder is not locked. @throws Interrupted
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_;
};

/// Plans the rung `id` as a copy of `parent` in the folder variants/ of the source tree `root`. Writes nothing. A copy without
/// a line in the build file was left by a killed program; it then gets its line.
/// @throws InputError if an id is invalid, the new one is taken or out of order, or the parent is not laid out like a rung
NewRung plan_rung(const std::filesystem::path& root, const std::string& id, const std::string& parent);

/// Writes all files or none. @throws InputError if the tree cannot be written
void make_rung(const NewRung& rung);

/// The kernel file with a different idea in its header. @throws InputError if it has no header
std::string with_idea(const std::string& kernel, const std::string& idea);

/// The build file's text with a line for `id` after the preceding rung, with the flags and libraries of `parent`. Builds of the
/// flags axis are not copied. @throws InputError if the parent has no line, or its line does not end with ')'
std::string with_build_line(const std::string& text, const std::string& id, const std::string& parent);

}  // namespace ladder
