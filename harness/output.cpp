#include "harness/output.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "harness/error.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<std::pair<std::string, std::string>>;

/// Creates `folder` and returns the created folders, deepest first.
std::vector<fs::path> make_folder(const fs::path& folder) {
  if (folder.empty()) throw InputError("the name of the folder to write to is empty");
  std::error_code error;
  std::vector<fs::path> made;
  const fs::path place = fs::weakly_canonical(fs::absolute(folder), error);
  for (fs::path p = place; !fs::exists(p, error) && p.has_relative_path(); p = p.parent_path())
    made.push_back(p);
  fs::create_directories(place, error);
  const std::string reason = error ? ": " + error.message() : "";
  if (!error && fs::is_directory(folder, error)) return made;
  for (const auto& p : made)
    fs::remove(p, error);
  throw InputError(fmt::format("{}: cannot be made a folder to write to{}", folder.string(), reason));
}

fs::path temporary(const fs::path& folder, const std::string& name) { return folder / ("." + name + ".part"); }

void discard_temporaries(const fs::path& folder, const Files& files) {
  std::error_code error;
  for (const auto& [name, text] : files)
    fs::remove(temporary(folder, name), error);
}

/// Writes each text under its temporary name. Returns an error, or empty.
std::string write_temporaries(const fs::path& folder, const Files& files) {
  std::error_code error;
  for (const auto& [name, text] : files) {
    if (fs::is_directory(folder / name, error))
      return fmt::format("{}: cannot be written: it is a folder", (folder / name).string());
    std::ofstream file(temporary(folder, name), std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) return fmt::format("{}: cannot be written (is the folder writable, the disk full?)", (folder / name).string());
  }
  return "";
}

}  // namespace

void require_writable(const fs::path& folder, const std::vector<std::string>& names) {
  Files empty;
  for (const auto& name : names)
    empty.emplace_back(name, "");
  const auto made = make_folder(folder);
  const std::string wrong = write_temporaries(folder, empty);
  discard_temporaries(folder, empty);
  std::error_code error;
  for (const auto& p : made)
    fs::remove(p, error);
  if (!wrong.empty()) throw InputError(wrong);
}

void write_files(const fs::path& folder, const Files& files) {
  make_folder(folder);
  std::string wrong = write_temporaries(folder, files);
  for (const auto& [name, text] : files) {
    if (!wrong.empty()) break;
    std::error_code error;
    fs::rename(temporary(folder, name), folder / name, error);
    if (error) wrong = fmt::format("{}: cannot be written: {}", (folder / name).string(), error.message());
  }
  if (wrong.empty()) return;
  discard_temporaries(folder, files);
  throw InputError(wrong);
}

}  // namespace ladder
