#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// Checks whether write_files() could write these files, without changing anything. To be called before a long computation
/// starts.
/// @throws InputError as write_files() would.
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) into `folder`, creating it if needed. All files are written completely under temporary names
/// before the first is renamed, so that a failure leaves no incomplete file.
/// @throws InputError if the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace ladder
