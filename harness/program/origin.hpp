#pragma once

#include <filesystem>
#include <string>

#include "harness/program/catalogue.hpp"

namespace ladder {

/// Hash of the bytes of a file; that of no bytes where it cannot be read.
std::string hash_of_file(const std::filesystem::path& path);

/// Hash of the files below `root` that a rung or the ceilings of a backend are built from: its own folder, what its ladder and
/// its model share, and its backend. It is the same on any machine, whatever the compiler. Empty where `root` holds no sources.
std::string hash_of_sources(const std::filesystem::path& root, const Executable& executable);

}  // namespace ladder
