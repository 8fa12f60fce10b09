#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string_view>

namespace ladder {

/// The TOML text that came from `path`.
/// @throws FileError with the line where it is not TOML, or a key has more than 16 parts: a table within a table for each would
/// be more than the stack holds
toml::table parse_toml(const std::filesystem::path& path, std::string_view text);

}  // namespace ladder
