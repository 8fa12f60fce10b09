#include "harness/output.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "harness/error.hpp"

namespace ladder {

void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw InputError(
        fmt::format("{}: cannot be made a folder to write to{}", folder.string(), error ? ": " + error.message() : ""));
  const auto temporary = [&](const std::string& name) { return folder / ("." + name + ".part"); };
  const auto discard = [&] {
    for (const auto& [name, text] : files)
      fs::remove(temporary(name), error);
  };
  for (const auto& [name, text] : files) {
    std::ofstream file(temporary(name), std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
      discard();
      throw InputError(fmt::format("{}: cannot be written (is the folder writable, the disk full?)", (folder / name).string()));
    }
  }
  for (const auto& [name, text] : files) {
    fs::rename(temporary(name), folder / name, error);
    if (error) {
      discard();
      throw InputError(fmt::format("{}: cannot be written: {}", (folder / name).string(), error.message()));
    }
  }
}

}  // namespace ladder
