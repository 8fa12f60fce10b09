#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder {

/// The whole file. @throws FileError if it cannot be read
std::string read_whole(const std::filesystem::path& path);

/// Hash of a file's text, 16 hexadecimal digits.
std::string hash_of(std::string_view text);

}  // namespace ladder
