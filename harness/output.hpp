#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// Tries whether write_files() could write these files, and leaves everything as it was: a long computation asks before it
/// starts.
/// @throws InputError as write_files() would.
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) into `folder`, making it where needed. All files are written in full under temporary names
/// before the first takes its own: a failure leaves nothing half-written.
/// @throws InputError if the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace ladder
