#include "harness/program/origin.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "harness/hash.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

bool is_source(const fs::path& path) {
  static const std::set<std::string> endings{".cpp", ".hpp", ".h", ".cl", ".cu", ".cuh"};
  return endings.contains(path.extension().string());
}

template <class Iterator>
void add(const fs::path& folder, std::set<fs::path>& files) {
  std::error_code error;
  for (const auto& entry : Iterator(folder, error))
    if (entry.is_regular_file() && is_source(entry.path())) files.insert(entry.path());
}

}  // namespace

std::string hash_of_file(const fs::path& path) { return fmt::format("{:016x}", fnv1a(content(path))); }

std::string hash_of_sources(const fs::path& root, const Executable& executable) {
  using Here = fs::directory_iterator;
  using Below = fs::recursive_directory_iterator;
  std::set<fs::path> files;
  if (executable.id.starts_with("ceiling/")) {
    add<Here>(root / "roofline/ceilings", files);
    add<Below>(root / "roofline/ceilings" / executable.backend, files);
  } else {
    const fs::path rung = root / "variants" / executable.id;
    add<Below>(rung, files);
    if (files.empty()) return "";
    add<Here>(rung.parent_path(), files);
    add<Here>(root / "variants" / executable.description.value("model", ""), files);
  }
  if (files.empty()) return "";
  add<Here>(root / "backends", files);
  add<Below>(root / "backends" / executable.backend, files);
  add<Below>(root / "backends/memory", files);
  std::string all;
  for (const fs::path& file : files)
    all += fmt::format("{} {}\n", file.lexically_relative(root).generic_string(), hash_of_file(file));
  return fmt::format("{:016x}", fnv1a(all));
}

}  // namespace ladder
