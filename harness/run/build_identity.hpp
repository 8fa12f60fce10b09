#pragma once

#include <filesystem>
#include <string>

#include "harness/record/provenance.hpp"
#include "harness/run/catalogue.hpp"

namespace ladder {

/// Hash of the bytes of a file; the hash of no bytes if it cannot be read, or is a pipe or a device.
std::string hash_of_file(const std::filesystem::path& path);

/// Hash of an executable's bytes without the header of its kernel file, which is not measured.
std::string hash_of_executable(const std::filesystem::path& path);

/// Hash of the files below `root` that a rung or the ceilings of a backend (`ceiling/<backend>`) are built from: those of its
/// own folder, the files that these include, directly or indirectly, and its backend. The harness is left out, as in an
/// executable's bytes. The hash is the same on any machine and for any compiler. Empty if `root` does not hold the rung.
std::string hash_of_sources(const std::filesystem::path& root, const std::string& id, const std::string& backend);

/// The description of an executable, as stored in provenance. `executable_hash`: hash of its bytes.
RungDescription description_of(const Executable& executable, const std::string& executable_hash,
                               const std::filesystem::path& root);

}  // namespace ladder
