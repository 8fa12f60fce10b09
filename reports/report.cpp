#include "reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "harness/store/csv.hpp"
#include "harness/store/error.hpp"
#include "harness/store/file.hpp"
#include "reports/files.hpp"
#include "reports/gnuplot.hpp"
#include "reports/page.hpp"
#include "reports/sections/sections.hpp"
#include "reports/study.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr const char* page_name = "index.html";

/// Ids that are unique in the report, so that they can name files.
class Ids {
 public:
  std::string unique(const std::string& wanted) {
    std::string id = slug(wanted);
    for (int i = 2; !taken_.insert(id).second; ++i)
      id = fmt::format("{}-{}", slug(wanted), i);
    return id;
  }

 private:
  std::set<std::string> taken_;
};

/// Ids taken so far. A table and a figure may share one: they are files of different folders.
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

/// What one machine measured for a study, as sections look at it. Stays where it was made: its parts point to each other.
struct Machine {
  Machine(const Study& study, const MachineData& data) : results(data), ceilings(results), context{study, results, ceilings} {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Results results;
  Ceilings ceilings;
  Context context;
};

Chapter make_chapter(const Machine& machine) {
  const Study& study = machine.context.study;
  const MachineData& data = machine.results.data();
  Chapter chapter{study.name + "-" + data.name, study.title, study.citation, {}, {&data.file}};
  if (study.machines.size() > 1) chapter.title += " — " + data.label();
  chapter.sections.push_back(summary(machine.context));
  for (const Parameters& block : study.blocks)
    if (!is_across(block)) chapter.sections.push_back(make_section(block, machine.context));
  return chapter;
}

/// The sections that set the machines of a study side by side; none where it has no such block.
Chapter make_chapter_across(const Study& study, const std::deque<Machine>& machines) {
  Chapter chapter{study.name + "-machines", study.title + " — machines side by side", study.citation, {}, {}};
  std::vector<Context> contexts;
  for (const Machine& machine : machines) {
    contexts.push_back(machine.context);
    chapter.files.push_back(&machine.results.data().file);
  }
  for (const Parameters& block : study.blocks)
    if (is_across(block)) chapter.sections.push_back(make_section_across(block, contexts));
  return chapter;
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

/// Names of the machines that have results in the chosen studies.
std::vector<std::string> machines_of(const ReportOptions& options) {
  std::set<std::string> names;
  for (const std::string& study : chosen_studies(options))
    for (const MachineData& data : read_study(options.experiments / study, "").machines)
      names.insert(data.name);
  return {names.begin(), names.end()};
}

void warn_about(const Study& study, const MachineData& data, std::vector<std::string>& warnings) {
  const std::string file = fmt::format("experiments/{}/results/{}.csv", study.name, data.name);
  if (data.file.csv.is_truncated()) warnings.push_back(fmt::format("{}: the last row is incomplete and was left out.", file));
  if (data.profiles.csv.is_truncated()) {
    warnings.push_back(fmt::format("experiments/{}/results/{}.profile.csv: the last row is incomplete and was left out.",
                                   study.name, data.name));
  }
  std::set<std::string> missing;
  for (const Row& row : data.file.rows) {
    if (std::ranges::find(data.sessions, row.session, &Provenance::session) == data.sessions.end()) missing.insert(row.session);
  }
  for (const std::string& session : missing) {
    warnings.push_back(fmt::format("{}: session {} has no file {}.{}.json that says where it was measured.", file, session,
                                   data.name, session));
  }
}

/// Calls `visit(part)` with each table and figure.
template <class Visit>
void each_part(const std::vector<Chapter>& chapters, Visit visit) {
  for (const Chapter& chapter : chapters) {
    for (const Section& section : chapter.sections) {
      for (const Part& part : section.parts) {
        if (const auto* table = std::get_if<Table>(&part)) visit(*table, chapter);
        if (const auto* figure = std::get_if<Figure>(&part)) visit(*figure, chapter);
      }
    }
  }
}

/// A report in memory.
struct Report {
  std::deque<Study> studies;  ///< the parts of chapters point to their rows
  std::vector<Chapter> chapters;
  std::vector<std::string> warnings;
  std::map<std::string, std::string> files;  ///< by path below the folder of the report
  std::map<std::string, std::string> pdfs;   ///< the same; they hold the time of drawing
};

/// Rows of some files as CSV for a reader: `file`, `line`, and the columns as stored, in the order of files and lines. A column
/// that a file lacks, as older ones may, is empty.
std::string to_csv(const std::vector<const RowFile*>& files, const std::vector<const Row*>& rows) {
  std::vector<std::string> columns;
  for (const RowFile* file : files) {
    for (const std::string& column : file->csv.header())
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  }
  std::string out = "file,line";
  for (const std::string& column : columns)
    out += ',' + csv_text(column);
  out += '\n';
  const std::set<const Row*> wanted(rows.begin(), rows.end());
  for (const RowFile* file : files) {
    std::vector<std::size_t> places;  // of each column in this file; beyond its fields where it lacks one
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

void add_files(const Figure& figure, const Chapter& chapter, Report& report) {
  if (!figure.sources.empty()) report.files["rows/" + rows_file(figure)] = to_csv(chapter.files, figure.sources);
}

Report make_report(const ReportOptions& options) {
  Report report;
  Taken taken;
  for (const std::string& name : chosen_studies(options)) {
    const Study& study = report.studies.emplace_back(read_study(options.experiments / name, options.machine));
    if (study.machines.empty()) {
      report.warnings.push_back(fmt::format("experiments/{}: no results{} yet.", name,
                                            options.machine.empty() ? "" : " of machine " + options.machine));
    }
    std::deque<Machine> machines;
    for (const MachineData& data : study.machines) {
      warn_about(study, data, report.warnings);
      report.chapters.push_back(make_chapter(machines.emplace_back(study, data)));
      rename(report.chapters.back(), taken);
    }
    if (machines.empty()) continue;
    Chapter across = make_chapter_across(study, machines);
    if (across.sections.empty()) continue;
    rename(across, taken);
    report.chapters.push_back(std::move(across));
  }
  if (!options.machine.empty() &&
      std::ranges::all_of(report.studies, [](const Study& study) { return study.machines.empty(); })) {
    throw FileError(options.experiments, 0,
                    fmt::format("has no results of machine '{}' in {}; accepted: {}", options.machine,
                                joined(chosen_studies(options)), joined(machines_of(options), 40)));
  }
  std::vector<const Figure*> figures;
  each_part(report.chapters, [&](const auto& part, const Chapter& chapter) {
    if constexpr (std::is_same_v<decltype(part), const Figure&>) figures.push_back(&part);
    add_files(part, chapter, report);
  });
  const std::vector<Drawing> drawings = draw(figures);
  std::map<std::string, std::string> svgs;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string name = "figures/" + figures[i]->id;
    report.files[name + ".svg"] = drawings[i].svg;
    report.pdfs[name + ".pdf"] = drawings[i].pdf;
    svgs[figures[i]->id] = drawings[i].svg;
  }
  report.files[page_name] = page(report.chapters, svgs, report.warnings);
  return report;
}

/// `text` around its place `at`, as an error message shows it.
std::string around(std::string_view text, std::size_t at) {
  constexpr std::size_t before = 30;
  constexpr std::size_t most = 80;
  return printable(text.substr(at > before ? at - before : 0, most));
}

/// Where two texts first differ.
std::string first_difference(std::string_view printed, std::string_view computed) {
  const auto [p, c] = std::ranges::mismatch(printed, computed);
  const auto at = static_cast<std::size_t>(p - printed.begin());
  const auto line = 1 + std::ranges::count(printed.substr(0, at), '\n');
  return fmt::format("line {}: printed '{}', the rows give '{}'", line, around(printed, at), around(computed, at));
}

/// The fields in which two tables differ; where they are not of one shape, where their texts do.
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

/// What the samples that a part shows were measured with.
void add_origins(const std::vector<const Row*>& rows, const std::string& study, const MachineData& data,
                 std::set<Origin>& origins) {
  for (const Row* row : rows) {
    const bool is_ceiling = row->kind == "ceiling";
    Origin origin{.study = study,
                  .machine = data.name,
                  .session = row->session,
                  .rung = is_ceiling ? "ceiling/" + row->backend : row->rung,
                  .build = row->build,
                  .backend = row->backend,
                  .flags = {},
                  .executable = {},
                  .sources = {}};
    const auto session = std::ranges::find(data.sessions, row->session, &Provenance::session);
    if (session != data.sessions.end()) {
      for (const auto& [name, r] : is_ceiling ? session->ceilings : session->rungs) {
        if (r.id != origin.rung || r.build != origin.build) continue;
        origin.flags = r.flags;
        origin.executable = r.executable;
        origin.sources = r.sources;
      }
    }
    origins.insert(std::move(origin));
  }
}

/// Files in the folders of a report that are none of this one's.
std::vector<std::filesystem::path> other_files(const std::filesystem::path& out, const Report& report) {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"figures", "rows", "tables"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(out / folder, none)) {
      const std::string name = folder + ("/" + entry.path().filename().string());
      if (!report.files.contains(name) && !report.pdfs.contains(name)) found.push_back(entry.path());
    }
  }
  return found;
}

/// Removes what an earlier report, on these studies or others, left in the folder and this one does not have. Names tell which
/// files are a report's; others stay.
void remove_leftovers(const ReportOptions& options, const Report& report) {
  const std::vector<std::string> studies = study_names(options.experiments);
  for (const std::filesystem::path& path : other_files(options.out, report)) {
    const std::string name = path.filename().string();
    const std::string id = name.substr(name.starts_with("table-") ? 6 : name.starts_with("figure-") ? 7 : 0);
    std::error_code none;
    if (std::ranges::any_of(studies, [&](const std::string& s) { return id.starts_with(slug(s) + "-"); }))
      std::filesystem::remove(path, none);
  }
}

}  // namespace

ReportResult write_report(const ReportOptions& options) {
  const Report report = make_report(options);
  ReportResult result{options.out / page_name, {}, report.warnings};
  const auto write = [&](const std::string& name, const std::string& content) {
    write_whole(options.out / name, content);
    result.files.push_back(options.out / name);
  };
  for (const auto& [name, content] : report.pdfs)
    write(name, content);
  for (const auto& [name, content] : report.files)
    if (name != page_name) write(name, content);
  write(page_name, report.files.at(page_name));
  remove_leftovers(options, report);
  return result;
}

Verification verify_report(const ReportOptions& options) {
  if (!std::filesystem::exists(options.out / page_name))
    throw FileError(options.out, 0, "holds no report; accepted: a folder that `ladder report` wrote");
  const Report report = make_report(options);
  Verification result;
  for (const auto& [name, computed] : report.files) {
    const std::filesystem::path path = options.out / name;
    if (!std::filesystem::exists(path)) {
      result.mismatches.push_back({path, "is missing"});
      continue;
    }
    const std::string printed = read_whole(path);
    if (printed == computed) continue;
    if (name.starts_with("tables/") && name.ends_with(".csv")) {
      compare_tables(path, printed, computed, result.mismatches);
    } else {
      result.mismatches.push_back({path, first_difference(printed, computed)});
    }
  }
  for (const auto& [name, drawn] : report.pdfs)
    if (!std::filesystem::exists(options.out / name)) result.mismatches.push_back({options.out / name, "is missing"});
  for (const std::filesystem::path& path : other_files(options.out, report))
    result.mismatches.push_back({path, "is no part of the report"});
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
          add_origins(cell.rows, study.name, data, origins);
    }
  }
  result.origins.assign(origins.begin(), origins.end());
  return result;
}

void require_reportable(const std::filesystem::path& folder) {
  const Study study = read_study(folder, "none");
  const MachineData none;
  std::deque<Machine> machines;
  make_chapter(machines.emplace_back(study, none));
  make_chapter_across(study, machines);
}

}  // namespace ladder::reports
