#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

/// Refuses to replace a file that this program did not write: a device, a pipe or a folder, or a file that is neither empty nor
/// begins with one of `starts`. `what` names the accepted contents. @throws InputError
void require_own_file(const std::filesystem::path& path, const std::vector<std::string>& starts, const std::string& what);

}  // namespace ladder
