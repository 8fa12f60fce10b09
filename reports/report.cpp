#include "reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/files.hpp"
#include "reports/gnuplot.hpp"
#include "reports/page.hpp"
#include "reports/sections/sections.hpp"
#include "reports/study.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

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

Chapter make_chapter(const Study& study, const MachineData& data) {
  const Results results(data);
  const Ceilings ceilings(results);
  const Context context{study, results, ceilings};
  Chapter chapter{study.name + "-" + data.name, study.title, study.citation, {}};
  if (study.machines.size() > 1) chapter.title += " — " + data.name;
  chapter.sections.push_back(summary(context));
  for (const Parameters& block : study.blocks)
    chapter.sections.push_back(make_section(block, context));
  return chapter;
}

std::vector<std::string> chosen_studies(const ReportOptions& options) {
  const std::vector<std::string> known = study_names(options.experiments);
  for (const std::string& name : options.studies) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw InputError(options.experiments, 0, fmt::format("has no study '{}'; accepted: {}", name, joined(known, known.size())));
  }
  if (known.empty()) throw InputError(options.experiments, 0, "holds no study; accepted: a folder with <study>/study.toml");
  return options.studies.empty() ? known : options.studies;
}

void warn_about(const Study& study, const MachineData& data, std::vector<std::string>& warnings) {
  const std::string file = fmt::format("experiments/{}/results/{}.csv", study.name, data.name);
  if (data.file.truncated) warnings.push_back(fmt::format("{}: the last row is incomplete and was left out.", file));
  std::set<std::string> missing;
  for (const Row& row : data.file.rows) {
    if (std::ranges::find(data.sessions, row.session, &Provenance::session) == data.sessions.end()) missing.insert(row.session);
  }
  for (const std::string& session : missing) {
    warnings.push_back(fmt::format("{}: session {} has no file {}.{}.json that says where it was measured.", file, session,
                                   data.name, session));
  }
}

std::vector<const Figure*> figures_of(const std::vector<Chapter>& chapters) {
  std::vector<const Figure*> figures;
  for (const Chapter& chapter : chapters) {
    for (const Section& section : chapter.sections) {
      for (const Part& part : section.parts) {
        if (const auto* figure = std::get_if<Figure>(&part)) figures.push_back(figure);
      }
    }
  }
  return figures;
}

/// Writes files below a folder and remembers which.
class Writer {
 public:
  Writer(std::filesystem::path folder, ReportResult& result) : folder_(std::move(folder)), result_(result) {}

  std::filesystem::path write(const std::string& name, std::string_view content) {
    const std::filesystem::path path = folder_ / name;
    write_whole(path, content);
    result_.files.push_back(path);
    return path;
  }

 private:
  std::filesystem::path folder_;
  ReportResult& result_;
};

void write_tables(const std::vector<Chapter>& chapters, Writer& writer) {
  for (const Chapter& chapter : chapters) {
    for (const Section& section : chapter.sections) {
      for (const Part& part : section.parts) {
        const auto* table = std::get_if<Table>(&part);
        if (table == nullptr) continue;
        writer.write("tables/" + table->id + ".csv", to_csv(*table));
        writer.write("tables/" + table->id + ".md", to_markdown(*table));
      }
    }
  }
}

}  // namespace

InputError::InputError(std::filesystem::path file, std::size_t line, const std::string& problem)
    : std::runtime_error(line > 0 ? fmt::format("{}:{}: {}", file.string(), line, problem)
                                  : fmt::format("{}: {}", file.string(), problem)),
      file_(std::move(file)),
      line_(line) {}

ReportResult write_report(const ReportOptions& options) {
  ReportResult result;
  Taken taken;
  std::vector<Chapter> chapters;
  for (const std::string& name : chosen_studies(options)) {
    const Study study = read_study(options.experiments / name, options.machine);
    if (study.machines.empty()) {
      result.warnings.push_back(fmt::format("experiments/{}: no results{} yet.", name,
                                            options.machine.empty() ? "" : " of machine " + options.machine));
    }
    for (const MachineData& data : study.machines) {
      warn_about(study, data, result.warnings);
      chapters.push_back(make_chapter(study, data));
      rename(chapters.back(), taken);
    }
  }

  const std::vector<const Figure*> figures = figures_of(chapters);
  const std::vector<Drawing> drawings = draw(figures);
  Writer writer(options.out, result);
  std::map<std::string, std::string> svgs;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    writer.write("figures/" + figures[i]->id + ".svg", drawings[i].svg);
    writer.write("figures/" + figures[i]->id + ".pdf", drawings[i].pdf);
    svgs[figures[i]->id] = drawings[i].svg;
  }
  write_tables(chapters, writer);
  result.html = writer.write("index.html", page(chapters, svgs, result.warnings));
  return result;
}

void require_reportable(const std::filesystem::path& folder) { make_chapter(read_study(folder, "none"), MachineData{}); }

}  // namespace ladder::reports
