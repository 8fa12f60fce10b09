#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string_view>

namespace ladder {

/// Parses TOML text read from `path`.
/// @throws FileError with the line if the text is not TOML, or if a key has more than 16 parts: each part is a nested table,
/// which could overflow the stack
toml::table parse_toml(const std::filesystem::path& path, std::string_view text);

}  // namespace ladder
