#include "program/new_rung.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/output.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/record/kernel_header.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* id_form = "model/backend/NN_name in lower-case letters, digits and '_', e.g. d2q9/opencl/20_mine";

/// The parts of a rung's id.
struct Id {
  std::string ladder;  ///< `d2q9/opencl`
  std::string number;  ///< `05`
  std::string name;    ///< `soa`
};

/// @throws InputError if `text` is not an id; `what` describes it in the message
Id parse_id(const std::string& text, const char* what) {
  static const std::regex form("([a-z][a-z0-9]*/[a-z][a-z0-9]*)/([0-9][0-9])_([a-z][a-z0-9_]{0,63})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) throw InputError(fmt::format("{} '{}': accepted is {}", what, text, id_form));
  return {parts[1], parts[2], parts[3]};
}

/// Folders below `folder` that are named like rungs, sorted.
std::vector<std::string> rung_folders(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (const std::string name = entry.path().filename().string(); entry.is_directory() && name.size() > 3 && name[2] == '_')
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Every rung of the source tree.
std::vector<std::string> known_rungs(const fs::path& variants) {
  std::vector<std::string> ids;
  std::error_code error;
  for (const auto& model : fs::directory_iterator(variants, error))
    for (const auto& backend : fs::directory_iterator(model.path(), error))
      for (const auto& name : rung_folders(backend.path()))
        ids.push_back(fmt::format("{}/{}/{}", model.path().filename().string(), backend.path().filename().string(), name));
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// @throws InputError if the ladder's folder has another rung with this number or name; `begun`: the rung itself exists,
/// incomplete
void require_free(const fs::path& ladder, const Id& id, bool begun) {
  auto names = rung_folders(ladder);
  if (begun) std::erase(names, id.number + "_" + id.name);
  int last = 0;
  for (const auto& name : names)
    last = std::max(last, std::atoi(name.c_str()));
  for (const auto& name : names) {
    if (name == id.number + "_" + id.name) throw InputError(fmt::format("rung {}/{} already exists", id.ladder, name));
    if (name.substr(0, 2) == id.number)
      throw InputError(fmt::format("number {} is taken by {}{}", id.number, name,
                                   last < 99 ? fmt::format("; the next free one is {:02}", last + 1) : ""));
    if (name.substr(3) == id.name) throw InputError(fmt::format("name '{}' is taken by {}", id.name, name));
  }
}

/// `text` with the value of its only `.follows = "…"` replaced; nothing if there is none.
bool set_follows(std::string& text, const std::string& parent) {
  static const std::regex follows("\\.follows = \"[^\"]*\"");
  if (!std::regex_search(text, follows)) return false;
  text = std::regex_replace(text, follows, ".follows = \"" + parent + "\"", std::regex_constants::format_first_only);
  return true;
}

std::string call_of(const std::string& id) { return "ladder_add_rung(" + id; }

/// The id that a line in a build file adds, or nothing.
std::string added_by(const std::string& line) {
  const std::string call = call_of("");
  if (!line.starts_with(call)) return "";
  return line.substr(call.size(), line.find_first_of(" )", call.size()) - call.size());
}

/// The rung's file that begins with header lines.
std::string kernel_of(const fs::path& folder) {
  for (const char* name : {"kernel.cl", "kernel.cu", "kernel.cpp"})
    if (fs::exists(folder / name)) return name;
  throw InputError(fmt::format("{}: has no kernel.cl, kernel.cu or kernel.cpp", folder.string()));
}

/// Whether the build file has a line for the rung.
bool has_build_line(const std::string& text, const std::string& id) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (added_by(line) == id) return true;
  return false;
}

/// Whether a folder contains exactly these files.
bool holds(const fs::path& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  std::error_code error;
  const auto count = std::distance(fs::directory_iterator(folder, error), fs::directory_iterator());
  return !error && count == std::ssize(files) && std::all_of(files.begin(), files.end(), [&](const auto& file) {
    return fs::is_regular_file(fs::symlink_status(folder / file.first)) && read_whole(folder / file.first) == file.second;
  });
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR)
    heed_interrupts();
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string with_idea(const std::string& kernel, const std::string& idea) {
  std::string out;
  std::istringstream lines(kernel);
  bool in_idea = false;
  bool in_header = true;
  bool replaced = false;
  for (std::string line; std::getline(lines, line);) {
    in_header = in_header && line.starts_with("// ");
    in_idea = in_header && (line.starts_with("// Idea:") || (in_idea && line.starts_with("//  ")));
    if (in_idea && !replaced) out += "// Idea:    " + idea + "\n";
    replaced = replaced || in_idea;
    if (!in_idea) out += line + "\n";
  }
  try {
    parse_kernel_header(out);
  } catch (const std::runtime_error& e) {
    throw InputError(e.what());
  }
  return out;
}

std::string with_build_line(const std::string& text, const std::string& id, const std::string& parent) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  const auto line_of = [&](const std::string& rung) {
    return std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return added_by(line) == rung; });
  };
  if (line_of(id) != lines.end()) throw InputError(fmt::format("there is already a line for {}", id));
  const auto found = line_of(parent);
  if (found == lines.end()) throw InputError(fmt::format("no line begins with '{}'", call_of(parent)));
  if (!found->ends_with(")")) throw InputError(fmt::format("the line '{}' does not end with ')'", *found));
  static const std::regex builds(" BUILDS( (?!FLAGS|LINK)[^ )]+)*");
  const std::string line = call_of(id) + std::regex_replace(found->substr(call_of(parent).size()), builds, "");
  auto before = found;
  for (auto other = found; other != lines.end(); ++other)
    if (const std::string added = added_by(*other); !added.empty() && added < id) before = other;
  lines.insert(before + 1, line);
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

NewRung plan_rung(const fs::path& root, const std::string& id, const std::string& parent) {
  const Id own = parse_id(id, "rung");
  const Id of_parent = parse_id(parent, "--from");
  const fs::path variants = root / "variants";
  const fs::path from = variants / parent;
  if (!fs::is_directory(from)) {
    if (!fs::is_directory(variants))
      throw InputError(fmt::format("{}: no such folder; new rungs belong there", variants.string()));
    throw InputError(
        fmt::format("unknown rung '{}'{} ('ladder list --all' shows all)", parent, suggestion(parent, known_rungs(variants))));
  }
  if (own.ladder != of_parent.ladder)
    throw InputError(
        fmt::format("rung '{}' follows '{}': accepted is an id that begins with {}/", id, parent, of_parent.ladder));
  const fs::path build_file = variants / own.ladder / "CMakeLists.txt";
  const std::string build_text = read_whole(build_file);
  // A program killed while it created the rung leaves the folder behind, without the line in the build file.
  const bool begun = fs::is_directory(fs::symlink_status(variants / id)) && !has_build_line(build_text, id);
  require_free(variants / own.ladder, own, begun);
  if (own.number < of_parent.number)
    throw InputError(fmt::format("rung '{}' follows '{}': accepted is a number above {}", id, parent, of_parent.number));

  NewRung rung{.folder = variants / id, .files = {}, .kernel = kernel_of(from), .build_file = build_file, .build_text = ""};
  if (!begun && fs::exists(fs::symlink_status(rung.folder)))
    throw InputError(fmt::format("{}: exists already", rung.folder.string()));
  int follows = 0;
  for (const auto& entry : fs::directory_iterator(from)) {
    if (!entry.is_regular_file() || entry.is_symlink())
      throw InputError(fmt::format("{}: not a file; a rung's folder may only hold files", entry.path().string()));
    const std::string name = entry.path().filename().string();
    // Headers in the folder are included by their path.
    std::string text = replace_all(read_whole(entry.path()), "\"variants/" + parent + "/", "\"variants/" + id + "/");
    follows += set_follows(text, parent) ? 1 : 0;
    if (name == rung.kernel) {
      try {
        text = with_idea(text, fmt::format("to be written: what this rung does that {} does not do", parent));
      } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", entry.path().string(), e.what()));
      }
    }
    rung.files.emplace_back(name, std::move(text));
  }
  std::sort(rung.files.begin(), rung.files.end());
  if (follows != 1)
    throw InputError(fmt::format("{}: {} files have a '.follows = \"…\"'; accepted is one", from.string(), follows));
  if (begun && !holds(rung.folder, rung.files))
    throw InputError(fmt::format("{}: exists already, has no line in {}, and is not an unchanged copy of {}",
                                 rung.folder.string(), rung.build_file.string(), parent));
  try {
    rung.build_text = with_build_line(build_text, id, parent);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", rung.build_file.string(), e.what()));
  }
  return rung;
}

void make_rung(const NewRung& rung) {
  const std::string build_name = rung.build_file.filename().string();
  require_writable(rung.build_file.parent_path(), {build_name});
  // The folder appears with all its files or not at all; without its line in the build file, it is not part of the build.
  std::string temporary;
  std::error_code error;
  const bool is_new = !fs::exists(rung.folder);
  try {
    if (is_new) {
      temporary = rung.folder.parent_path() / ("." + rung.folder.filename().string() + ".XXXXXX");
      if (mkdtemp(temporary.data()) == nullptr)
        throw InputError(fmt::format("{}: cannot be made: {}", temporary, std::strerror(errno)));
      fs::permissions(temporary, fs::status(rung.folder.parent_path()).permissions(), error);
      write_files(temporary, rung.files);
      fs::rename(temporary, rung.folder, error);
      if (error) throw InputError(fmt::format("{}: cannot be made: {}", rung.folder.string(), error.message()));
    }
    write_files(rung.build_file.parent_path(), {{build_name, rung.build_text}});
  } catch (...) {
    if (!temporary.empty()) fs::remove_all(temporary, error);
    if (is_new) fs::remove_all(rung.folder, error);
    throw;
  }
}

}  // namespace ladder
