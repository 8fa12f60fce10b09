#include "reports/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/csv.hpp"
#include "reports/chapters.hpp"
#include "reports/gnuplot.hpp"
#include "reports/page.hpp"
#include "reports/section_page.hpp"
#include "reports/sections/sections.hpp"
#include "reports/study.hpp"

namespace ladder::reports {
namespace {

constexpr const char* page_name = "index.html";
constexpr const char* manifest_name = "manifest.csv";
constexpr std::array folders = {"figures", "rows", "tables"};

/// Makes ids unique within the report, so that they can serve as file names.
class Ids {
 public:
  std::string unique(const std::string& wanted) {
    std::string id = id_slug(wanted);
    for (int i = 2; !taken_.insert(id).second; ++i)
      id = fmt::format("{}-{}", id_slug(wanted), i);
    return id;
  }

 private:
  std::set<std::string> taken_;
};

/// Ids in use. A table and a figure may share one because their files are in different folders.
struct Taken {
  Ids chapters, tables, figures;
};

void rename(Chapter& chapter, Taken& taken) {
  chapter.id = taken.chapters.unique(chapter.id);
  int number = 0;
  for (Section& section : chapter.sections) {
    const std::string prefix = fmt::format("{}-{:02}-", chapter.id, number++);
    section.id = prefix + section.id;
    for (Part& part : section.parts) {
      if (auto* table = std::get_if<Table>(&part)) table->id = taken.tables.unique(prefix + table->id);
      if (auto* figure = std::get_if<Figure>(&part)) figure->id = taken.figures.unique(prefix + figure->id);
    }
  }
}

std::vector<std::string> chosen_studies(const ReportOptions& options) {
  const std::vector<std::string> known = study_names(options.experiments);
  for (const std::string& name : options.studies) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw FileError(options.experiments, 0, fmt::format("has no study '{}'; accepted: {}", name, joined(known, known.size())));
  }
  if (known.empty()) throw FileError(options.experiments, 0, "holds no study; accepted: a folder with <study>/study.toml");
  return options.studies.empty() ? known : options.studies;
}

/// Names of the machines that have results in the selected studies.
std::vector<std::string> machines_of(const ReportOptions& options) {
  std::set<std::string> names;
  for (const std::string& study : chosen_studies(options))
    for (const std::string& name : machine_names(options.experiments / study))
      names.insert(name);
  return {names.begin(), names.end()};
}

void warn_about(const Study& study, const MachineData& data, std::vector<std::string>& warnings) {
  const std::string file = fmt::format("experiments/{}/results/{}", study.name, data.name);
  for (const auto& [csv, ending] : {std::pair{&data.file.csv, ".csv"}, std::pair{&data.profiles.csv, ".profile.csv"},
                                    std::pair{&data.timelines.csv, ".timeline.csv"}})
    if (csv->is_truncated())
      warnings.push_back(fmt::format("{}{}: the last row is incomplete and was left out.", file, ending));
  std::set<std::string> missing;
  for (const Row& row : data.file.rows)
    if (std::ranges::find(data.sessions, row.session, &Provenance::session) == data.sessions.end()) missing.insert(row.session);
  for (const Provenance& session : data.sessions)
    if (const std::size_t line = line_of_edited_rows(data.file.csv, session); line > 0)
      warnings.push_back(
          fmt::format("{}.csv:{}: the rows of session {} are not those that it stored.", file, line, session.session));
  for (const std::string& session : missing)
    warnings.push_back(fmt::format("{0}.csv: session {1} has no provenance file {2}.{1}.json.", file, session, data.name));
}

/// Calls `visit(part)` with each table and figure.
template <class Visit>
void each_part(const std::vector<Chapter>& chapters, Visit visit) {
  for (const Chapter& chapter : chapters)
    for (const Section& section : chapter.sections)
      for (const Part& part : section.parts) {
        if (const auto* table = std::get_if<Table>(&part)) visit(*table, chapter);
        if (const auto* figure = std::get_if<Figure>(&part)) visit(*figure, chapter);
      }
}

/// A report in memory.
struct Report {
  std::deque<Study> studies;  ///< the parts of chapters point to their rows
  std::vector<Chapter> chapters;
  std::vector<std::string> warnings;
  std::vector<std::string> left_out;          ///< errors of the studies that are left out
  std::map<std::string, std::string> inputs;  ///< hashes of the files that it was made from, by path relative to experiments/
  std::map<std::string, std::string> files;   ///< contents by path relative to the report's folder
  std::map<std::string, std::string> pdfs;    ///< PDF files by the same path; they contain their creation time
};

/// Rows of some files as CSV for readers: `file`, `line` and the stored columns, ordered by file and line. Columns that a file
/// lacks, as older files may, are empty.
std::string to_csv(const std::vector<const RowFile*>& files, const std::vector<const Row*>& rows) {
  std::vector<std::string> columns;
  for (const RowFile* file : files)
    for (const std::string& column : file->csv.header())
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  std::string out = "file,line";
  for (const std::string& column : columns)
    out += ',' + csv_text(column);
  out += '\n';
  const std::set<const Row*> wanted(rows.begin(), rows.end());
  for (const RowFile* file : files) {
    std::vector<std::size_t> places;  // of each column in this file; out of range if the file lacks it
    for (const std::string& column : columns)
      places.push_back(static_cast<std::size_t>(std::ranges::find(file->csv.header(), column) - file->csv.header().begin()));
    const std::string name = csv_text(file->csv.path().filename().string());
    for (const Row& row : file->rows) {
      if (!wanted.contains(&row)) continue;
      const CsvRecord& record = *std::ranges::lower_bound(file->csv.records(), row.line, {}, &CsvRecord::line);
      out += fmt::format("{},{}", name, record.line);
      for (const std::size_t place : places)
        out += ',' + (place < record.fields.size() ? csv_text(plain_text(record.fields[place])) : "");
      out += '\n';
    }
  }
  return out;
}

void add_files(const Table& table, const Chapter& chapter, Report& report) {
  report.files["tables/" + table.id + ".csv"] = to_csv(table);
  report.files["tables/" + table.id + ".md"] = to_markdown(table);
  if (!table.sources.empty()) report.files["rows/" + rows_file(table)] = to_csv(chapter.files, table.sources);
}

/// The stored rows of each finding.
void add_files(const Chapter& chapter, Report& report) {
  for (std::size_t i = 0; i < chapter.findings.size(); ++i)
    if (const Finding& finding = chapter.findings[i]; finding.is_on_page() && !finding.rows.empty())
      report.files["rows/" + rows_file(chapter, i)] = to_csv(chapter.all_files, finding.rows);
}

void add_files(const Figure& figure, const Chapter& chapter, Report& report) {
  if (!figure.sources.empty()) report.files["rows/" + rows_file(figure)] = to_csv(chapter.files, figure.sources);
}

/// The files from which a study and its results are read.
std::vector<std::filesystem::path> files_of(const Study& study) {
  std::vector<std::filesystem::path> files = {study.folder / "study.toml", study.paper.path()};
  std::error_code none;
  for (const MachineData& data : study.machines) {
    for (const auto* csv : {&data.file.csv, &data.profiles.csv, &data.timelines.csv, &data.flows.csv})
      files.push_back(csv->path());
    for (const Provenance& session : data.sessions)
      files.push_back(session.path);
    for (const auto& entry : std::filesystem::directory_iterator(data.folder, none)) {
      const std::string name = stored_name(entry.path());
      for (const char* kind : {"field", "series", "layers", "stability"})
        if (name.starts_with(fmt::format("{}.{}.", data.name, kind))) files.push_back(data.folder / name);
    }
  }
  std::erase_if(files, [](const std::filesystem::path& file) { return !is_stored(file); });
  return files;
}

/// Adds the sections of a study and the results of its machines.
void add_study(const ReportOptions& options, const std::string& name, Report& report, Taken& taken) {
  Study& read = report.studies.emplace_back(read_study(options.experiments / name, options.machine));
  order_machines(read);
  const Study& study = read;
  std::vector<Chapter> chapters;
  if (!study.machines.empty()) chapters = make_chapters(study);
  std::map<std::string, std::string> inputs;
  for (const std::filesystem::path& file : files_of(study))
    inputs[file.lexically_relative(options.experiments).string()] = hash_of(read_stored(file));
  // From here on, the study has no errors.
  if (study.machines.empty()) {
    report.warnings.push_back(fmt::format("experiments/{}: no results{} yet.", name,
                                          options.machine.empty() ? "" : " of machine " + options.machine));
  }
  for (const MachineData& data : study.machines)
    warn_about(study, data, report.warnings);
  for (Chapter& chapter : chapters) {
    rename(chapter, taken);
    report.chapters.push_back(std::move(chapter));
  }
  report.inputs.merge(inputs);
}

/// A report on all studies that can be read.
Report read_report(const ReportOptions& options) {
  Report report;
  Taken taken;
  const std::vector<std::string> names = chosen_studies(options);
  for (const std::string& name : names) {
    const std::size_t before = report.studies.size();
    try {
      add_study(options, name, report, taken);
    } catch (const InputError& e) {
      if (names.size() == 1) throw;
      report.studies.resize(before);
      report.left_out.push_back(fmt::format("experiments/{} is left out: {}", name, e.what()));
    }
  }
  if (report.studies.empty()) throw InputError(fmt::format("{}", fmt::join(report.left_out, "\n")));
  if (!options.machine.empty() &&
      std::ranges::all_of(report.studies, [](const Study& study) { return study.machines.empty(); })) {
    throw InputError(fmt::format("no results of machine '{}' in {} ({}); accepted: {}", options.machine, joined(names),
                                 options.experiments.string(), joined(machines_of(options), 40)));
  }
  return report;
}

/// Hash of the sources recorded by the latest session that used an identical executable.
std::string latest_sources(const Origin& executable, const MachineData& data) {
  std::pair<std::string, std::string> latest;  // session, sources
  for (const auto* sessions : {&data.sessions, &data.profile_sessions})
    for (const Provenance& session : *sessions)
      for (const auto* executables : {&session.rungs, &session.ceilings})
        for (const auto& [name, r] : *executables)
          if (r.id == executable.rung && r.build == executable.build && r.executable == executable.executable &&
              !r.sources.empty())
            latest = std::max(latest, {session.session, r.sources});
  return latest.second;
}

/// The executables that measured `records`, rows or profiles of the given sessions.
template <class Record>
void add_origins(const std::vector<const Record*>& records, const std::vector<Provenance>& sessions, const std::string& study,
                 const MachineData& data, std::set<Origin>& origins) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;  // session, rung, build
  for (const Record* record : records) {
    const bool is_ceiling = record->kind == "ceiling";
    Origin origin{.study = study,
                  .machine = data.name,
                  .session = record->session,
                  .rung = is_ceiling ? "ceiling/" + record->backend : record->rung,
                  .build = record->build,
                  .backend = record->backend};
    if (!seen.emplace(origin.session, origin.rung, origin.build).second) continue;
    const auto session = std::ranges::find(sessions, record->session, &Provenance::session);
    if (session != sessions.end()) {
      for (const auto& [name, r] : is_ceiling ? session->ceilings : session->rungs) {
        if (r.id != origin.rung || r.build != origin.build) continue;
        origin.flags = r.flags;
        origin.executable = r.executable;
        origin.sources = r.sources;
        if (!r.executable.empty()) origin.sources = latest_sources(origin, data);
      }
    }
    origins.insert(std::move(origin));
  }
}

/// The records of `all` that are among `wanted`.
template <class Record>
std::vector<const Record*> those_in(const std::vector<Record>& all, const std::vector<const Record*>& wanted) {
  const std::set<const Record*> chosen(wanted.begin(), wanted.end());
  std::vector<const Record*> found;
  for (const Record& record : all)
    if (chosen.contains(&record)) found.push_back(&record);
  return found;
}

/// The executables that measured a finding's values, which may belong to several machines.
std::set<Origin> origins_of(const Finding& finding, const Study& study) {
  std::set<Origin> origins;
  for (const MachineData& data : study.machines) {
    add_origins(those_in(data.file.rows, finding.rows), data.sessions, study.name, data, origins);
    add_origins(those_in(data.profiles.rows, finding.profiles), data.profile_sessions, study.name, data, origins);
  }
  return origins;
}

/// Marks the findings whose values are older than their rungs.
void mark_older(Report& report, const IsOlder& is_older) {
  if (!is_older) return;
  for (Chapter& chapter : report.chapters) {
    const auto study = std::ranges::find(report.studies, chapter.study, &Study::name);
    for (Finding& finding : chapter.findings)
      finding.is_older = std::ranges::any_of(origins_of(finding, *study), is_older);
  }
}

Report make_report(const ReportOptions& options) {
  Report report = read_report(options);
  mark_older(report, options.is_older);
  std::vector<const Figure*> figures;
  each_part(report.chapters, [&](const auto& part, const Chapter& chapter) {
    if constexpr (std::is_same_v<decltype(part), const Figure&>) figures.push_back(&part);
    add_files(part, chapter, report);
  });
  for (const Chapter& chapter : report.chapters)
    add_files(chapter, report);
  const std::vector<Drawing> drawings = draw(figures);
  std::map<std::string, std::string> svgs;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string name = "figures/" + figures[i]->id;
    report.files[name + ".svg"] = drawings[i].svg;
    report.pdfs[name + ".pdf"] = drawings[i].pdf;
    svgs[figures[i]->id] = drawings[i].on_page;
  }
  std::vector<std::string> warnings = report.left_out;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  const std::string title = report.studies.size() == 1 ? report.studies.front().title : "LBM Ladder report";
  report.files[page_name] = page(title, report.chapters, svgs, warnings);
  return report;
}

/// The manifest in a report's folder: lists the report's input files and output files, with their hashes.
struct Manifest {
  std::map<std::string, std::string> read, written;
};

/// Whether a report may contain a file of this name.
bool is_report_file(const std::string& name) {
  const std::filesystem::path path = name;
  const std::string folder = path.parent_path().string();
  return name == page_name || (path.has_filename() && path.filename() != "." && path.filename() != ".." &&
                               std::ranges::find(folders, folder) != folders.end());
}

/// The manifest of a folder; empty if there is none. @throws InputError if it is malformed or names foreign files
Manifest read_manifest(const std::filesystem::path& out) {
  Manifest manifest;
  const std::filesystem::path path = out / manifest_name;
  if (std::error_code none; !std::filesystem::exists(path, none)) return manifest;
  const CsvFile file = CsvFile::read(path);
  const std::size_t what = file.column("what");
  const std::size_t name = file.column("file");
  const std::size_t hash = file.column("hash");
  for (const CsvRecord& r : file.records()) {
    const bool is_read = r.fields[what] == "read";
    if (!is_read && !is_report_file(r.fields[name]))
      throw FileError(path, r.line,
                      fmt::format("'{}' is not a file of a report; accepted: {}, and files in {}", r.fields[name], page_name,
                                  fmt::join(folders, ", ")));
    (is_read ? manifest.read : manifest.written)[r.fields[name]] = r.fields[hash];
  }
  return manifest;
}

std::string to_text(const Manifest& manifest) {
  std::string text = "what,file,hash\n";
  for (const auto& [what, files] : {std::pair{"read", &manifest.read}, std::pair{"written", &manifest.written}})
    for (const auto& [name, hash] : *files)
      text += fmt::format("{},{},{}\n", what, csv_field(name), hash);
  return text;
}

Manifest manifest_of(const Report& report) {
  Manifest manifest{report.inputs, {}};
  for (const auto* files : {&report.files, &report.pdfs})
    for (const auto& [name, content] : *files)
      manifest.written[name] = hash_of(content);
  return manifest;
}

/// `text` around position `at`, for an error message.
std::string around(std::string_view text, std::size_t at) {
  constexpr std::size_t before = 30;
  constexpr std::size_t most = 80;
  return printable(text.substr(at > before ? at - before : 0, most));
}

/// Describes the first difference between two texts.
std::string first_difference(std::string_view printed, std::string_view computed) {
  const auto [p, c] = std::ranges::mismatch(printed, computed);
  const auto at = static_cast<std::size_t>(p - printed.begin());
  const auto line = 1 + std::ranges::count(printed.substr(0, at), '\n');
  return fmt::format("line {}: printed '{}', the rows give '{}'", line, around(printed, at), around(computed, at));
}

/// Describes the fields in which two tables differ or, if their shapes differ, the first difference of their texts.
void compare_tables(const std::filesystem::path& path, const std::string& printed, const std::string& computed,
                    std::vector<Mismatch>& mismatches) {
  const auto text = [&] { mismatches.push_back({path, first_difference(printed, computed)}); };
  try {
    const CsvFile a = CsvFile::parse(path, printed);
    const CsvFile b = CsvFile::parse(path, computed);
    if (a.header() != b.header() || a.records().size() != b.records().size() || a.is_truncated()) return text();
    const std::size_t before = mismatches.size();
    for (std::size_t row = 0; row < a.records().size(); ++row) {
      const std::vector<std::string>& was = a.records()[row].fields;
      const std::vector<std::string>& is = b.records()[row].fields;
      for (std::size_t i = 0; i < was.size(); ++i) {
        if (was[i] == is[i]) continue;
        mismatches.push_back(
            {path, fmt::format("line {} ('{}'), column '{}': printed '{}', the rows give '{}'", a.records()[row].line,
                               printable(was[0]), a.header()[i], printable(was[i]), printable(is[i]))});
      }
    }
    if (mismatches.size() == before) text();
  } catch (const InputError&) {
    text();
  }
}

/// Files in a report's folders that do not belong to this report.
std::vector<std::filesystem::path> other_files(const std::filesystem::path& out, const Manifest& manifest) {
  std::vector<std::filesystem::path> found;
  const auto look = [&](const std::string& folder) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(out / folder, none)) {
      const std::string name = (folder / entry.path().filename()).string();
      if (name == manifest_name || manifest.written.contains(name)) continue;
      if (std::ranges::find(folders, name) == folders.end() || !entry.is_directory(none)) found.push_back(entry.path());
    }
  };
  look("");
  for (const char* folder : folders)
    look(folder);
  std::ranges::sort(found);
  return found;
}

}  // namespace

void require_report_folder(const std::filesystem::path& out) {
  std::error_code none;
  const std::filesystem::directory_iterator entries(out, none);
  if (none || entries == end(entries)) return;
  if (std::filesystem::exists(out / manifest_name, none)) {
    read_manifest(out);
    return;
  }
  throw FileError(out, 0,
                  fmt::format("holds '{}' and no {} of a report; accepted: a new or empty folder, or the folder of a report "
                              "(remove the folder if an older version wrote a report there)",
                              entries->path().filename().string(), manifest_name));
}

ReportResult write_report(const ReportOptions& options) {
  require_report_folder(options.out);
  const Manifest before = read_manifest(options.out);
  const Report report = make_report(options);
  const Manifest manifest = manifest_of(report);
  for (const auto& [name, hash] : manifest.written) {
    std::error_code none;
    if (!before.written.contains(name) && std::filesystem::exists(options.out / name, none))
      throw FileError(options.out / name, 0,
                      "is not a file that a report has written; accepted: another name, or another folder");
  }
  ReportResult result{options.out / page_name, {}, report.warnings, report.left_out};
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file(options.out / name, content);
    result.files.push_back(options.out / name);
  };
  // Until the write is complete, the folder may contain files of both reports.
  Manifest both = before;
  both.written.insert(manifest.written.begin(), manifest.written.end());
  write_file(options.out / manifest_name, to_text(both));
  for (const auto& [name, content] : report.pdfs)
    write(name, content);
  for (const auto& [name, content] : report.files)
    if (name != page_name) write(name, content);
  write(page_name, report.files.at(page_name));
  for (const auto& [name, hash] : before.written) {
    std::error_code none;
    if (!manifest.written.contains(name)) std::filesystem::remove(options.out / name, none);
  }
  write(manifest_name, to_text(manifest));
  return result;
}

Verification verify_report(const ReportOptions& options) {
  if (!std::filesystem::exists(options.out / page_name))
    throw FileError(options.out, 0, "holds no report; accepted: a folder that `ladder report` wrote");
  const Report report = make_report(options);
  const std::filesystem::path manifest_path = options.out / manifest_name;
  const bool has_manifest = std::filesystem::exists(manifest_path);
  const Manifest computed = manifest_of(report);
  Manifest printed = has_manifest ? read_manifest(options.out) : computed;
  Verification result;
  const auto differs = [&](const std::filesystem::path& path, const std::string& problem) {
    result.mismatches.push_back({path, problem});
  };
  for (const std::string& problem : report.left_out)
    differs(options.experiments, problem);
  if (!has_manifest) differs(manifest_path, "is missing");
  for (const auto& [name, hash] : computed.read)
    if (printed.read[name] != hash) differs(options.experiments / name, "is not the file that the report was made from");
  for (const auto& [name, hash] : printed.read)
    if (!computed.read.contains(name)) differs(options.experiments / name, "was read by the report, but is no longer read");
  for (const auto& [name, hash] : computed.written) {
    const std::filesystem::path path = options.out / name;
    if (!std::filesystem::exists(path)) {
      differs(path, "is missing");
      continue;
    }
    const std::string text = read_whole(path);
    const auto file = report.files.find(name);
    if (file == report.files.end()) {  // a PDF, which contains its creation time
      if (has_manifest && hash_of(text) != printed.written[name]) differs(path, "is not the file that the report wrote");
    } else if (text == file->second) {
      if (printed.written[name] != hash) differs(manifest_path, fmt::format("has another hash of {}", name));
    } else if (name.starts_with("tables/") && name.ends_with(".csv")) {
      compare_tables(path, text, file->second, result.mismatches);
    } else {
      differs(path, first_difference(text, file->second));
    }
  }
  for (const std::filesystem::path& path : other_files(options.out, computed))
    differs(path, "is not part of the report");
  each_part(report.chapters, [&](const auto& part, const Chapter&) {
    if constexpr (std::is_same_v<decltype(part), const Table&>) {
      for (const std::vector<TableCell>& row : part.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
          result.numbers += part.columns[i].is_number && row[i].text != "—" ? 1 : 0;
    } else {
      ++result.figures;
    }
  });
  std::set<Origin> origins;
  for (const Study& study : report.studies) {
    for (const MachineData& data : study.machines) {
      const Results shown(data);
      for (const auto* cells : {&shown.cells(), &shown.ceilings(), &shown.earlier_ceilings()})
        for (const Cell& cell : *cells)
          add_origins(cell.rows, data.sessions, study.name, data, origins);
      add_origins(shown.profiles(), data.profile_sessions, study.name, data, origins);
    }
  }
  result.origins.assign(origins.begin(), origins.end());
  return result;
}

std::vector<SourceFinding> source_findings(const ReportOptions& options) {
  std::vector<SourceFinding> found;
  for (const std::string& name : chosen_studies(options)) {
    const Study study = read_study(options.experiments / name, "");
    const std::vector<Chapter> chapters = make_chapters(study);
    for (std::size_t block = 0; block < study.findings.size(); ++block) {
      SourceFinding one{.study = name, .finding = chapters.front().findings[block], .origins = {}};
      if (one.finding.source.empty()) continue;
      one.finding.missing = {"no results of the source, " + one.finding.source};
      std::set<Origin> origins;
      for (std::size_t i = 0; i < study.machines.size(); ++i) {
        const Finding& finding = chapters[i].findings[block];
        if (!finding.is_of_source) continue;
        one.finding = finding;
        origins.merge(origins_of(finding, study));
      }
      one.origins.assign(origins.begin(), origins.end());
      found.push_back(std::move(one));
    }
  }
  return found;
}

void require_reportable(const std::filesystem::path& folder, const std::optional<std::string>& machine) {
  const Study study = read_study(folder, machine.value_or("none"));
  make_chapters(study);
  if (machine && std::ranges::any_of(study.blocks, draws)) require_gnuplot();
}

}  // namespace ladder::reports
