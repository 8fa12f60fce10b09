#pragma once

#include <filesystem>
#include <string>

#include "harness/program/catalogue.hpp"
#include "harness/store/provenance.hpp"

namespace ladder {

/// Hash of the bytes of a file; that of no bytes where it cannot be read, or is a pipe or a device.
std::string hash_of_file(const std::filesystem::path& path);

/// Hash of the files below `root` that a rung or the ceilings of a backend (`ceiling/<backend>`) are built from: those of its
/// own folder, what these include, directly or not, and its backend. The harness is left out, as in an executable's bytes. It
/// is the same on any machine, whatever the compiler. Empty where `root` does not hold the rung.
std::string hash_of_sources(const std::filesystem::path& root, const std::string& id, const std::string& backend);

/// The description of an executable as provenance holds it. `executable_hash`: of its bytes.
RungDescription description_of(const Executable& executable, const std::string& executable_hash,
                               const std::filesystem::path& root);

}  // namespace ladder
