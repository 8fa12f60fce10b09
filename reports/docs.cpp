#include "reports/docs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "reports/chapters.hpp"
#include "reports/report.hpp"
#include "reports/results.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view end_of_block = "<!-- end -->";

/// The chapters and findings of studies, each read once.
class Source {
 public:
  Source(std::filesystem::path experiments, const IsOlder& is_older)
      : experiments_(std::move(experiments)), is_older_(is_older) {}

  [[nodiscard]] const std::filesystem::path& experiments() const { return experiments_; }

  [[nodiscard]] bool is_older(const SourceFinding& one) const {
    return is_older_ && std::ranges::any_of(one.origins, is_older_);
  }

  /// The study's findings that have a source.
  const std::vector<SourceFinding>& findings(const std::string& study) {
    const auto [found, is_new] = findings_.try_emplace(study);
    if (is_new) found->second = source_findings({.experiments = experiments_, .studies = {study}, .out = {}, .machine = {}});
    return found->second;
  }

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
  const IsOlder& is_older_;
  std::deque<Study> studies_;
  std::map<std::string, Chapter> chapters_;
  std::map<std::string, std::vector<SourceFinding>> findings_;
};

/// The statement, followed by the machine; `is_older`: its rows are older than their rungs. @throws InputError if the finding
/// lacks values or does not hold
std::string text_of(const Finding& finding, bool is_older) {
  if (!finding.is_known())
    throw InputError(fmt::format("finding '{}' lacks values: {}", finding.name, joined(finding.missing)));
  if (!finding.holds) throw InputError(fmt::format("finding '{}' does not hold: {}", finding.name, finding.text));
  return fmt::format("{} *({}{})*", finding.text, finding.source, is_older ? older_mark : "");
}

/// The named findings: one as a paragraph, several as a list, in the given order. Without names, all that hold, as a list.
std::string findings(Source& source, const std::string& study, const std::vector<std::string>& names) {
  const std::vector<SourceFinding>& all = source.findings(study);
  const auto text = [&](const SourceFinding& one) { return text_of(one.finding, source.is_older(one)) + "\n"; };
  std::string out;
  if (names.empty())
    for (const SourceFinding& one : all)
      if (one.finding.is_on_page() && one.finding.holds) out += "* " + text(one);
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, [](const SourceFinding& one) { return one.finding.name; });
    if (found == all.end()) throw InputError(fmt::format("the study has no finding '{}' with a source", name));
    out += (names.size() > 1 ? "* " : "") + text(*found);
  }
  return out;
}

std::string table(const Chapter& chapter, const std::string& id) {
  for (const Section& section : chapter.sections)
    for (const Part& part : section.parts)
      if (const auto* found = std::get_if<Table>(&part); found != nullptr && found->id == id) return to_markdown(*found);
  throw InputError(fmt::format("the study has no table '{}'", id));
}

/// The session that most of the shown samples come from, the later one of two; empty if no samples are shown.
std::string main_session(const Results& results) {
  std::map<std::string, std::size_t> samples;
  for (const Cell& cell : results.cells())
    for (const Row* row : cell.rows)
      ++samples[row->session];
  std::pair<std::size_t, std::string> most;
  for (const auto& [session, count] : samples)  // ids begin with the time at which the session started
    most = std::max(most, {count, session});
  return most.second;
}

/// Median number of rounds in which the session's shown cells were measured; "—" if there are none.
std::string rounds_text(const Results& results, const std::string& session) {
  std::vector<std::size_t> counts;
  for (const Cell& cell : results.cells())
    if (const auto count = std::ranges::count(cell.rows, session, &Row::session); count > 0)
      counts.push_back(static_cast<std::size_t>(count));
  if (counts.empty()) return "—";
  std::ranges::sort(counts);
  return std::to_string(counts[counts.size() / 2]);
}

/// Time from the session's first row to its last, without pauses between two calls that continue it; "—" if it has no rows.
std::string time_text(const std::vector<Row>& rows, const std::string& session) {
  constexpr double longest_row = 300;  // s; a longer interval between rows is a pause
  std::vector<std::time_t> times;
  for (const Row& row : rows) {
    std::tm utc{};
    std::istringstream text(row.utc);
    if (row.session == session && text >> std::get_time(&utc, "%Y-%m-%dT%H:%M:%S")) times.push_back(timegm(&utc));
  }
  if (times.empty()) return "—";
  std::ranges::sort(times);
  double seconds = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (const double interval = std::difftime(times[i], times[i - 1]); interval <= longest_row) seconds += interval;
  return seconds < 60 ? "< 1 min" : fmt::format("{:.0f} min", seconds / 60);
}

/// All studies with their questions, and one line per machine that has rows. Links are relative to `folder`.
std::string studies(const std::filesystem::path& experiments, const std::filesystem::path& folder) {
  std::string out =
      "| study | question | machine | newest rows | combinations | rounds | time |\n|---|---|---|---|---:|---:|---:|\n";
  for (const std::string& name : study_names(experiments)) {
    const Study study = read_study(experiments / name, "");
    std::string begin = fmt::format("| [{}]({}) | {} |", markdown(name),
                                    (experiments / name / "study.toml").lexically_proximate(folder).generic_string(),
                                    study.question.empty() ? study.title : study.question);
    const std::string without_rows = begin + " — | — | — | — | — |\n";
    bool has_rows = false;
    for (const MachineData& data : study.machines) {
      if (data.file.rows.empty()) continue;
      has_rows = true;
      const Results results(data);
      const std::string session = main_session(results);
      out += fmt::format("{} {} | {} | {} | {} | {} |\n", begin, markdown(data.label()),
                         markdown(std::ranges::max(data.file.rows, {}, &Row::utc).utc.substr(0, 10)), results.cells().size(),
                         rounds_text(results, session), time_text(data.file.rows, session));
      begin = "| | |";
    }
    if (!has_rows) out += without_rows;
  }
  return out;
}

/// What follows the line `<!-- kind: words -->` in a file in `folder`; nothing if the line begins no block.
std::optional<std::string> generated(const std::string& line, const std::filesystem::path& folder, Source& source) {
  std::istringstream words(line);
  std::string open, kind, study;
  words >> open >> kind >> study;
  if (line == "<!-- studies -->") return studies(source.experiments(), folder);
  if (open != "<!--" || (kind != "findings:" && kind != "table:")) return std::nullopt;
  std::vector<std::string> names;
  for (std::string name; words >> name && name != "-->";)
    names.push_back(name);
  if (kind == "findings:") return findings(source, study, names);
  return table(source.chapter(study), names.empty() ? "" : names.front());
}

}  // namespace

std::string with_blocks(const std::filesystem::path& file, const std::string& text, const std::filesystem::path& experiments,
                        const IsOlder& is_older) {
  Source source(experiments, is_older);
  std::istringstream lines(text);
  std::string out;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    out += line + "\n";
    const std::size_t begin = number;
    try {
      const auto block = generated(line, file.parent_path(), source);
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

std::string without_marks(std::string text) {
  const std::string_view mark = older_mark;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.erase(at, mark.size());
  return text;
}

std::vector<std::filesystem::path> markdown_files(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> files = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::filesystem::path> update_docs(const std::filesystem::path& root, const std::filesystem::path& experiments,
                                               const IsOlder& is_older) {
  std::vector<std::filesystem::path> changed;
  for (const std::filesystem::path& file : markdown_files(root)) {
    const std::string text = read_whole(file);
    const std::string now = with_blocks(file, text, experiments, is_older);
    if (now == text) continue;
    write_file(file, now);
    changed.push_back(file);
  }
  return changed;
}

}  // namespace ladder::reports
