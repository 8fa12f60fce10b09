#include "reports/chapters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "base/format.hpp"
#include "reports/answer.hpp"
#include "reports/findings.hpp"
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
  if (study.machines.empty()) return {};
  Chapter chapter = make_chapters(study)[study.machines.size() - 1];
  for (Finding& finding : chapter.findings)
    if (!finding.holds && !finding.text.starts_with("Does not hold")) finding.text = "Not as expected: " + finding.text;
  std::vector<std::string> sentences = answers_of(chapter);
  if (!chapter.disturbance.empty()) sentences.push_back(chapter.disturbance);
  return sentences;
}

std::vector<std::string> answers_of(const Chapter& chapter) {
  std::vector<std::string> sentences;
  for (const Finding& finding : chapter.findings)
    if (finding.is_on_page()) sentences.push_back(finding.text);
  sentences.insert(sentences.end(), chapter.answers.begin(), chapter.answers.end());
  return sentences;
}

}  // namespace ladder::reports
