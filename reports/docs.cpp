#include "reports/docs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "reports/chapters.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view end_of_block = "<!-- end -->";

/// The chapters of studies, each read once.
class Source {
 public:
  explicit Source(std::filesystem::path experiments) : experiments_(std::move(experiments)) {}

  /// The chapter of the machine that the study names as its source; the first chapter if it names none.
  /// @throws InputError if there is no such study
  const Chapter& chapter(const std::string& name) {
    if (const auto found = chapters_.find(name); found != chapters_.end()) return found->second;
    const std::vector<std::string> known = study_names(experiments_);
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("'{}' is no study; accepted: {}", name, joined(known, known.size())));
    const Study& study = studies_.emplace_back(read_study(experiments_ / name, ""));
    std::vector<Chapter> all = make_chapters(study);
    const auto machine = std::ranges::find(study.machines, study.source, &MachineData::name);
    const auto at = machine == study.machines.end() ? 0 : machine - study.machines.begin();
    return chapters_.emplace(name, std::move(all[static_cast<std::size_t>(at)])).first->second;
  }

 private:
  std::filesystem::path experiments_;
  std::deque<Study> studies_;
  std::map<std::string, Chapter> chapters_;
};

/// The statement, followed by the machine. @throws InputError if the finding lacks values or does not hold
std::string text_of(const Finding& finding) {
  if (!finding.is_known())
    throw InputError(fmt::format("finding '{}' lacks values: {}", finding.name, joined(finding.missing)));
  if (!finding.holds) throw InputError(fmt::format("finding '{}' does not hold: {}", finding.name, finding.text));
  return finding.source.empty() ? finding.text : fmt::format("{} *({})*", finding.text, finding.source);
}

std::string findings(const Chapter& chapter, const std::string& name) {
  if (!name.empty()) {
    const auto found = std::ranges::find(chapter.findings, name, &Finding::name);
    if (found == chapter.findings.end()) throw InputError(fmt::format("the study has no finding '{}'", name));
    return text_of(*found) + "\n";
  }
  std::string out;
  for (const Finding& finding : chapter.findings)
    if (finding.is_on_page() && finding.holds) out += "* " + text_of(finding) + "\n";
  return out;
}

std::string table(const Chapter& chapter, const std::string& id) {
  for (const Section& section : chapter.sections)
    for (const Part& part : section.parts)
      if (const auto* found = std::get_if<Table>(&part); found != nullptr && found->id == id) return to_markdown(*found);
  throw InputError(fmt::format("the study has no table '{}'", id));
}

/// What follows the line `<!-- kind: words -->`; nothing if the line begins no block.
std::optional<std::string> generated(const std::string& line, Source& source) {
  std::istringstream words(line);
  std::string open, kind, study, name, close;
  words >> open >> kind >> study >> name;
  if (open != "<!--" || (kind != "findings:" && kind != "table:")) return std::nullopt;
  if (name == "-->") name.clear();
  const Chapter& chapter = source.chapter(study);
  return kind == "table:" ? table(chapter, name) : findings(chapter, name);
}

}  // namespace

std::string with_blocks(const std::filesystem::path& file, const std::string& text, const std::filesystem::path& experiments) {
  Source source(experiments);
  std::istringstream lines(text);
  std::string out;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    out += line + "\n";
    const std::size_t begin = number;
    try {
      const auto block = generated(line, source);
      if (!block) continue;
      while (line != end_of_block) {
        if (!std::getline(lines, line)) throw InputError(fmt::format("has no '{}'", end_of_block));
        ++number;
      }
      out += "\n" + *block + "\n" + line + "\n";
    } catch (const InputError& e) {
      throw FileError(file, begin, e.what());
    }
  }
  return out;
}

std::vector<std::filesystem::path> markdown_files(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> files = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::filesystem::path> update_docs(const std::filesystem::path& root, const std::filesystem::path& experiments) {
  std::vector<std::filesystem::path> changed;
  for (const std::filesystem::path& file : markdown_files(root)) {
    const std::string text = read_whole(file);
    const std::string now = with_blocks(file, text, experiments);
    if (now == text) continue;
    write_file(file, now);
    changed.push_back(file);
  }
  return changed;
}

}  // namespace ladder::reports
