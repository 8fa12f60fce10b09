#include "harness/run/build_identity.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "base/text.hpp"
#include "harness/record/kernel_header_mark.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  static const std::set<std::string> endings{".cpp", ".hpp", ".h", ".cl", ".cu", ".cuh"};
  return endings.contains(path.extension().string());
}

/// The source files below a folder.
std::set<fs::path> sources_below(const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file() && is_source(entry.path())) files.insert(entry.path());
  return files;
}

/// The project's files that a file includes, with paths relative to the root.
std::set<fs::path> included(const fs::path& root, const fs::path& file) {
  const std::string directive = "#include \"";
  std::set<fs::path> files;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(directive)) continue;
    const std::string name = line.substr(directive.size(), line.find('"', directive.size()) - directive.size());
    const bool is_measured = !name.starts_with("harness/") && !name.starts_with("base/");
    if (is_measured && fs::is_regular_file(root / name)) files.insert(root / name);
  }
  return files;
}

/// The lines of a source file without comments and indentation; empty lines are left out. A `//` in a line with quotes or in a
/// block comment stays.
std::string code_of(const fs::path& file) {
  std::istringstream lines(read_if_there(file));
  std::string code;
  for (std::string line; std::getline(lines, line);) {
    if (line.find('"') == std::string::npos) line.erase(std::min(line.find("//"), line.size()));
    if (const std::string text = one_line(line); !text.empty()) code += text + '\n';
  }
  return code;
}

}  // namespace

FileState state_of(const fs::path& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return {path};
  return {path,
          {static_cast<std::int64_t>(file.st_dev), static_cast<std::int64_t>(file.st_ino), file.st_size, file.st_mtim.tv_sec,
           file.st_mtim.tv_nsec}};
}

fs::path folder_of(const Executable& executable) {
  if (executable.id.starts_with("ceiling/")) return fs::path("roofline/ceilings") / executable.backend;
  return executable.folder.empty() ? fs::path("variants") / executable.id : executable.folder;
}

std::string hash_of_file(const fs::path& path) {
  std::error_code none;
  std::ifstream file;
  if (fs::is_regular_file(path, none)) file.open(path, std::ios::binary);
  return hash_of(file);
}

std::string hash_of_executable(const fs::path& path) {
  std::error_code none;
  if (constexpr std::uintmax_t most_of_a_rung = 1 << 28; fs::file_size(path, none) > most_of_a_rung) return hash_of_file(path);
  std::string bytes = read_if_there(path);
  const std::size_t header = bytes.find(LADDER_KERNEL_HEADER_MARK);
  if (header != std::string::npos) bytes.erase(header, kernel_header_bytes);
  return hash_of(bytes);
}

std::string hash_of_sources(const fs::path& root, const Executable& executable) {
  const std::string& backend = executable.backend;
  std::set<fs::path> open = sources_below(root / folder_of(executable));
  if (open.empty()) return "";
  std::istringstream parts(backend);
  for (std::string part; std::getline(parts, part, '+');)
    open.merge(sources_below(root / "backends" / part));
  std::set<fs::path> files;
  while (!open.empty()) {
    const fs::path file = *open.begin();
    open.erase(open.begin());
    if (!files.insert(file).second) continue;
    for (const fs::path& other : included(root, file))
      if (!files.contains(other)) open.insert(other);
  }
  std::string all;
  for (const fs::path& file : files)
    all += fmt::format("{} {}\n", file.lexically_relative(root).generic_string(), hash_of(code_of(file)));
  return hash_of(all);
}

RungDescription description_of(const Executable& executable, const std::string& executable_hash, const fs::path& root) {
  RungDescription description = executable.description;
  description.executable = executable_hash;
  description.sources = hash_of_sources(executable.root.empty() ? root : executable.root, executable);
  return description;
}

}  // namespace ladder
