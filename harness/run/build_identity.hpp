#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "harness/record/provenance.hpp"
#include "harness/run/catalogue.hpp"

namespace ladder {

/// File metadata, compared to detect a change since the file was hashed.
struct FileState {
  std::filesystem::path path;
  std::array<std::int64_t, 5> facts = {};  ///< device, inode, size and modification time; 0 if it is not a regular file

  bool operator==(const FileState&) const = default;
};
FileState state_of(const std::filesystem::path& path);

/// The folder of an executable's sources, in the source tree.
std::filesystem::path folder_of(const Executable& executable);

/// Hash of a file's bytes; the hash of empty input if the file cannot be read, or is a pipe or a device.
std::string hash_of_file(const std::filesystem::path& path);

/// Hash of an executable's bytes without the header lines of its kernel file, which do not affect what is measured.
std::string hash_of_executable(const std::filesystem::path& path);

/// Hash of the code, without comments, of the files below `root` from which a rung or a backend's ceilings
/// (`ceiling/<backend>`) are built: the files in its folder, the files they include directly or indirectly, and its backend.
/// Excludes the harness, which is also not in the measured part of an executable. The hash depends on neither machine nor
/// compiler. Empty if `root` does not contain the rung.
std::string hash_of_sources(const std::filesystem::path& root, const Executable& executable);

/// An executable's description as stored in provenance. `executable_hash`: hash of its bytes.
RungDescription description_of(const Executable& executable, const std::string& executable_hash,
                               const std::filesystem::path& root);

}  // namespace ladder
