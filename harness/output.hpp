#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// Writes each (file name, text) into `folder`, making it where needed. All files are written in full under temporary names
/// before the first takes its own: a failure leaves nothing half-written.
/// @throws InputError where the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace ladder
