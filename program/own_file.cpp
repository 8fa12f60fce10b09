#include "program/own_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"

namespace ladder {

void require_own_file(const std::filesystem::path& path, const std::vector<std::string>& starts, const std::string& what) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status))
    throw InputError(
        fmt::format("{}: cannot be written: it is not a regular file; accepted: a new file, or {}", path.string(), what));
  std::size_t longest = 0;
  for (const std::string& start : starts)
    longest = std::max(longest, start.size());
  std::string found(longest, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(found.data(), static_cast<std::streamsize>(longest));
  found.resize(static_cast<std::size_t>(file.gcount()));
  const bool is_own = std::ranges::any_of(starts, [&](const std::string& start) { return found.starts_with(start); });
  if (!found.empty() && !is_own)
    throw InputError(fmt::format("{}: another program wrote this file, and it would be replaced; accepted: a new file, or {}",
                                 path.string(), what));
}

}  // namespace ladder
