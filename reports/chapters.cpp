#include "reports/chapters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/format.hpp"
#include "reports/answer.hpp"
#include "reports/findings.hpp"
#include "reports/sections/common.hpp"
#include "reports/sections/sections.hpp"

namespace ladder::reports {
namespace {

/// The results of one machine for a study, in the form that sections use. Not movable: its parts point to each other.
struct Machine {
  Machine(const Study& study, const MachineData& data) : results(data), ceilings(results), context{study, results, ceilings} {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Results results;
  Ceilings ceilings;
  Context context;
};

Chapter make_chapter(const Context& context) {
  const Study& study = context.study;
  const MachineData& data = context.results.data();
  Chapter chapter{.id = study.name + "-" + data.name,
                  .study = study.name,
                  .machine = data.label(),
                  .title = study.title,
                  .subtitle = study.citation,
                  .question = study.question,
                  .disturbance = disturbance(context),
                  .files = {&data.file}};
  chapter.sections.push_back(summary(context));
  for (std::size_t i = 0; i < study.blocks.size(); ++i) {
    if (is_across(study.blocks[i])) continue;
    chapter.sections.push_back(make_section(study.blocks[i], context));
    chapter.sections.back().place = i + 1;
  }
  return chapter;
}

/// The sections that compare the machines of a study; none if it has no such [[report]] block.
Chapter make_chapter_across(const Study& study, const std::vector<Context>& machines) {
  Chapter chapter{
      .id = study.name + "-machines", .study = study.name, .machine = "", .title = study.title, .subtitle = study.citation};
  for (const Context& machine : machines)
    chapter.files.push_back(&machine.results.data().file);
  for (std::size_t i = 0; i < study.blocks.size(); ++i) {
    if (!is_across(study.blocks[i])) continue;
    chapter.sections.push_back(make_section_across(study.blocks[i], machines));
    chapter.sections.back().place = i + 1;
  }
  return chapter;
}

/// Adds the findings to each machine's chapter and, if none of them can be shown, an answer that suits any study.
void answer_question(std::vector<Chapter>& chapters, const Chapter& across, const std::vector<Context>& machines) {
  std::vector<std::vector<const Section*>> sections;
  for (const Chapter& chapter : chapters) {
    auto& own = sections.emplace_back();
    for (const Chapter* one : {&chapter, &across})
      for (const Section& section : one->sections)
        own.push_back(&section);
  }
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    Chapter& chapter = chapters[i];
    chapter.findings = findings_of(machines, i, sections);
    if (std::ranges::any_of(chapter.findings, &Finding::is_on_page)) continue;
    chapter.answers = answer(machines[i]);
    chapter.answer_rows = answer_rows(machines[i]);
  }
}

/// The answers in the chapter of a study's last machine. Findings that do not hold are marked as such.
std::vector<std::string> answers_of_last(const Study& study, std::vector<Chapter> chapters) {
  Chapter& chapter = chapters[study.machines.size() - 1];
  for (Finding& finding : chapter.findings)
    if (!finding.holds && !finding.text.starts_with("Does not hold")) finding.text = "Not as expected: " + finding.text;
  std::vector<std::string> sentences = answers_of(chapter);
  if (!chapter.disturbance.empty()) sentences.push_back(chapter.disturbance);
  return sentences;
}

/// A cell of a part, and the cell that it is compared with.
struct ComparedCell {
  const Cell* cell = nullptr;
  const Cell* over = nullptr;
  Ratio gain = {};
  double floor = std::numeric_limits<double>::quiet_NaN();
};

/// The cell that the last of `cells` is compared with; see answer_of_part().
const Cell* compared_with(const std::vector<const Cell*>& cells, const Results& results) {
  const Cell& cell = *cells.back();
  const auto is_of_place = [&](const Cell* other) {
    const Row &a = *other->row, &b = *cell.row;
    return a.rung != b.rung && a.case_name == b.case_name && a.precision == b.precision && a.placement == b.placement;
  };
  std::set<std::string> seen;
  for (const RungDescription* rung = results.rung(cell.row->rung, cell.row->build);
       rung != nullptr && seen.insert(rung->follows).second; rung = results.rung(rung->follows, "default")) {
    const Cell* over = results.choose({.rung = rung->follows,
                                       .case_name = cell.row->case_name,
                                       .precision = cell.row->precision,
                                       .workers = cell.row->workers()});
    if (!rung->follows.empty() && over != nullptr && is_of_place(over)) return over;
  }
  const auto above = std::find_if(cells.rbegin() + 1, cells.rend(), is_of_place);
  return above == cells.rend() ? nullptr : *above;
}

/// `places`: position of each key's cells in the table.
Table part_table(const Results& results, const std::map<std::string, std::size_t>& places) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : results.cells())
    cells.push_back(&cell);
  std::ranges::sort(cells, {}, [&](const Cell* c) {
    const Row& r = *c->row;
    return std::tie(r.cells, r.case_name, r.precision, r.placement, places.at(r.key));
  });
  std::vector<ComparedCell> compared;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ComparedCell& c = compared.emplace_back(ComparedCell{cells[i]});
    c.over = compared_with({cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i) + 1}, results);
    if (c.over == nullptr) continue;
    c.gain = paired_ratio(c.cell->updates_per_second, c.over->updates_per_second);
    c.floor = results.noise_floor(*c.cell, *c.over);
  }
  const auto name = [](const Row& row) { return row_name(row); };
  const auto build = [](const Row& row) { return row.build == "default" ? "" : row.build; };
  const auto rounds = [](const ComparedCell& c) { return c.cell->updates_per_second.size(); };
  const auto verdict = [](const ComparedCell& c) { return c.over == nullptr ? "" : verdict_text(c.gain, c.floor); };
  return tabulate("cells", "",
                  {{"case", "", &ComparedCell::cell, &Cell::row, &Row::case_name},
                   {"", "", &ComparedCell::cell, &Cell::row, &Row::precision},
                   {"placement", "", &ComparedCell::cell, &Cell::row, &Row::placement},
                   {"rung", "", &ComparedCell::cell, &Cell::row, name},
                   {"build", "", &ComparedCell::cell, &Cell::row, build},
                   {"rounds", "", rounds},
                   {"MLUPS", "", &ComparedCell::cell, rate_cell},
                   {"over", "", &ComparedCell::over, &Cell::row, &Row::rung},
                   {"speed-up", "", &ComparedCell::gain, ratio_cell},
                   {"verdict", "", verdict}},
                  compared);
}

}  // namespace

std::string last_session(const MachineData& data) { return data.sessions.empty() ? "" : data.sessions.back().session; }

void order_machines(Study& study) {
  std::ranges::stable_sort(study.machines, std::ranges::greater(), [&](const MachineData& data) {
    return std::pair(data.name == study.source && data.identity.empty(), last_session(data));
  });
}

std::vector<Chapter> make_chapters(const Study& study) {
  static const MachineData none;
  std::deque<Machine> machines;
  for (const MachineData& data : study.machines)
    machines.emplace_back(study, data);
  if (machines.empty()) machines.emplace_back(study, none);
  std::vector<Context> contexts;
  for (const Machine& machine : machines)
    contexts.push_back(machine.context);
  Chapter across = make_chapter_across(study, contexts);
  std::vector<Chapter> chapters;
  for (const Context& machine : contexts) {
    Chapter& chapter = chapters.emplace_back(make_chapter(machine));
    chapter.all_files = across.files;
  }
  answer_question(chapters, across, contexts);
  if (!across.sections.empty()) chapters.push_back(std::move(across));
  std::set<std::string> taken;
  for (Chapter& chapter : chapters) {
    const std::string wanted = id_slug(chapter.id);
    chapter.id = wanted;
    for (int i = 2; !taken.insert(chapter.id).second; ++i)
      chapter.id = fmt::format("{}-{}", wanted, i);
  }
  return chapters;
}

std::vector<std::string> answers_of(const std::filesystem::path& folder, const std::string& machine) {
  const Study study = read_study(folder, machine);
  return study.machines.empty() ? std::vector<std::string>() : answers_of_last(study, make_chapters(study));
}

PartAnswer answer_of_part(const std::filesystem::path& folder, const std::string& machine,
                          const std::vector<std::string>& keys) {
  std::map<std::string, std::size_t> places;  // of the keys
  for (const std::string& key : keys)
    places.emplace(key, places.size());
  Study study = read_study(folder, machine);
  for (MachineData& data : study.machines)
    std::erase_if(data.file.rows, [&](const Row& row) { return !places.contains(row.key); });
  if (study.machines.empty()) return {};
  std::vector<Chapter> chapters = make_chapters(study);
  // Findings without rows, e.g. about a publication alone, say nothing about this part.
  for (Chapter& chapter : chapters)
    std::erase_if(chapter.findings, [](const Finding& finding) { return finding.rows.empty(); });
  const Machine last(study, study.machines.back());
  Chapter& chapter = chapters[study.machines.size() - 1];
  if (std::ranges::none_of(chapter.findings, &Finding::is_on_page)) chapter.answers = answer(last.context);
  return {part_table(last.results, places), answers_of_last(study, std::move(chapters))};
}

std::vector<std::string> answers_of(const Chapter& chapter) {
  std::vector<std::string> sentences;
  for (const Finding& finding : chapter.findings)
    if (finding.is_on_page()) sentences.push_back(finding.text);
  sentences.insert(sentences.end(), chapter.answers.begin(), chapter.answers.end());
  return sentences;
}

}  // namespace ladder::reports
