#pragma once

#include <filesystem>
#include <string>

namespace ladder {

/// The whole file. @throws FileError if it cannot be read
std::string read_whole(const std::filesystem::path& path);

}  // namespace ladder
