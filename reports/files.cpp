#include "reports/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace ladder::reports {

void write_whole(const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw std::runtime_error(fmt::format("{}: cannot be made: {}", path.parent_path().string(), error.message()));

  const std::filesystem::path partial = path.string() + fmt::format(".{}.part", getpid());
  std::ofstream out(partial, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) {
    const std::string reason = std::strerror(errno);
    std::filesystem::remove(partial, error);
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
  std::filesystem::rename(partial, path, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(partial, error);
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "ladder-report-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(fmt::format("{}: cannot be made: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ladder::reports
