#include "base/file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace ladder {

std::string read_whole(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw FileError(path, 0, "is a folder; accepted: a file");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw FileError(path, 0, "is a device or a pipe; accepted: a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(path, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> block;
  while (in.read(block.data(), block.size()), in.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw FileError(path, 0, fmt::format("cannot be read to the end: {}", std::strerror(errno)));
  return text;
}

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

}  // namespace ladder
