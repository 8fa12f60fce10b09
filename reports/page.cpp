#include "reports/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/format.hpp"
#include "reports/section_page.hpp"

namespace ladder::reports {

extern const std::string_view page_style, page_script;  // page.css and page.js

namespace {

constexpr std::size_t open_sections = 10;  ///< per machine, with an open figure or table; later sections fold theirs

Anchors anchors_of(const Chapter& chapter) {
  Anchors anchors;
  for (const Section& section : chapter.sections)
    for (const Part& part : section.parts)
      if (const auto* table = std::get_if<Table>(&part); table != nullptr && !table->session.empty())
        anchors[table->session] = "table-" + table->id;
  return anchors;
}

/// Whether a section's tables and figures have only values of the publication.
bool is_only_paper(const Section& section) {
  return std::ranges::all_of(section.parts, [](const Part& part) {
    const auto* table = std::get_if<Table>(&part);
    const auto* figure = std::get_if<Figure>(&part);
    return table != nullptr ? table->sources.empty() : figure == nullptr || figure->sources.empty();
  });
}

/// How many of these rows a figure was made from.
std::size_t common(const Figure& figure, const std::vector<const Row*>& rows) {
  const std::set<const Row*> sources(figure.sources.begin(), figure.sources.end());
  return static_cast<std::size_t>(std::ranges::count_if(rows, [&](const Row* row) { return sources.contains(row); }));
}

/// The figure made from most of these rows; in a tie, the first one in the leading section, else in any section.
const Figure* leading_figure(const std::vector<Section>& sections, const std::vector<const Row*>& rows) {
  const Figure* found = nullptr;
  std::pair<std::size_t, bool> best;  // number of the rows; whether its section leads
  for (const Section& section : sections) {
    if (section.is_appendix) continue;
    bool leads = section.leads;
    for (const Part& part : section.parts) {
      const auto* figure = std::get_if<Figure>(&part);
      if (figure == nullptr || figure->sources.empty()) continue;
      const std::pair rank(common(*figure, rows), std::exchange(leads, false));
      if (found != nullptr && rank <= best) continue;
      found = figure;
      best = rank;
    }
  }
  return found;
}

/// The sections that a page shows under one heading: one per machine that has it, or one across machines.
struct Slot {
  std::vector<std::pair<std::size_t, const Section*>> of_machines;  ///< with the index of the machine
  const Section* across = nullptr;

  [[nodiscard]] const Section& first() const { return across != nullptr ? *across : *of_machines.front().second; }
};

/// A study on the page.
class StudyPage {
 public:
  StudyPage(std::vector<const Chapter*> chapters, const std::map<std::string, std::string>& svgs) : svgs_(svgs) {
    for (const Chapter* chapter : chapters)
      if (chapter->machine.empty())
        across_ = chapter;
      else
        machines_.push_back(chapter);
    for (const Chapter* chapter : chapters) {
      all_anchors_.merge(anchors_of(*chapter));
      for (const Section& section : chapter->sections)
        add(section, chapter->machine.empty() ? nullptr : chapter);
    }
    leave_out();
    choose_leads();
    close_sections();
  }

  [[nodiscard]] std::size_t machines() const { return machines_.size(); }

  /// `is_alone`: this is the only study, and the page is named after it.
  [[nodiscard]] std::string render(bool is_alone) const {
    const Chapter& any = machines_.empty() ? *across_ : *machines_.front();
    std::string out = fmt::format("<article id=\"{}\">\n", html(id_slug(any.study)));
    if (!is_alone) out += fmt::format("<h2>{}</h2>\n", prose(any.title));
    if (!any.subtitle.empty()) out += fmt::format("<p class=\"sub\">{}</p>\n", prose(any.subtitle));
    out += selector() + leads() + contents();
    each([&](const std::string& id, const Slot& slot) { out += section(id, slot); });
    return out + "</article>\n";
  }

 private:
  void add(const Section& section, const Chapter* machine) {
    Slot& slot = slots_[{section.is_appendix, section.place}];
    if (machine == nullptr) {
      slot.across = &section;
      return;
    }
    slot.of_machines.emplace_back(std::ranges::find(machines_, machine) - machines_.begin(), &section);
  }

  /// Removes sections without content, and those that show only the publication's values while the same section has ours on
  /// another machine. Records them for the appendix.
  void leave_out() {
    left_out_.resize(machines_.size());
    for (auto& [key, slot] : slots_) {
      const bool has_ours = std::ranges::any_of(
          slot.of_machines, [](const auto& of) { return !is_only_paper(*of.second) && !is_empty(*of.second); });
      std::erase_if(slot.of_machines, [&](const auto& of) {
        const Section& section = *of.second;
        if (section.is_appendix || !(is_empty(section) || (has_ours && is_only_paper(section)))) return false;
        std::string why;
        for (const Part& part : section.parts)
          if (const auto* p = std::get_if<Paragraph>(&part); why.empty() && p != nullptr && p->kind == Paragraph::Kind::note)
            why = p->text;
        left_out_[of.first].push_back(
            fmt::format("“{}”: {}", section.title, why.empty() ? "No rows of these rungs and cases." : why));
        return true;
      });
    }
    std::erase_if(slots_, [](const auto& s) { return s.second.across == nullptr && s.second.of_machines.empty(); });
  }

  /// A figure across machines leads the page only if it has more of the first finding's rows than those of the first machine.
  void choose_leads() {
    for (const Chapter* machine : machines_)
      leads_.push_back(leading_figure(*machine));
    if (across_ == nullptr || machines_.empty()) return;
    const std::vector<const Row*> rows = first_rows(*machines_.front());
    const Figure* found = leading_figure(across_->sections, rows);
    if (found == nullptr || (leads_.front() != nullptr && common(*found, rows) <= common(*leads_.front(), rows))) return;
    common_lead_ = found;
    std::ranges::fill(leads_, nullptr);
  }

  /// Closes the figures and tables of all but the first sections, to limit the length of a page.
  void close_sections() {
    std::vector<std::size_t> opened(machines_.size());
    for (const auto& [key, slot] : slots_)
      for (const auto& [machine, section] : slot.of_machines) {
        const Figure* lead = leads_[machine];
        const bool has_lead = lead != nullptr && has_figure(*section, lead->id);
        const bool has_own = has_figure(*section, "") ? !has_lead : has_open_table(*section);
        if (has_own && ++opened[machine] > open_sections) closed_.insert(section);
      }
  }

  /// The CSS class of content for these machines; empty if shown for all.
  [[nodiscard]] std::string shown_on(const std::vector<std::size_t>& machines) const {
    if (machines_.size() < 2 || machines.size() == machines_.size()) return "";
    std::string names = "on";
    for (const std::size_t machine : machines)
      names += fmt::format(" on-{}", machine);
    return fmt::format(" class=\"{}\"", names);
  }
  [[nodiscard]] std::string shown_on(const Slot& slot) const {
    std::vector<std::size_t> machines;
    if (slot.across != nullptr) return "";
    for (const auto& [machine, section] : slot.of_machines)
      machines.push_back(machine);
    return shown_on(machines);
  }

  /// Calls `visit` with the heading's id and each slot, appendix sections last.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& [key, slot] : slots_) {
      // Ids of two machines' sections may end in the same number and kind; the place is unique.
      const std::string study = (machines_.empty() ? across_ : machines_.front())->study;
      visit(fmt::format("{}-section-{}", id_slug(study), key.second), slot);
    }
  }

  [[nodiscard]] std::string selector() const {
    if (machines_.size() < 2) return "";
    std::string out = "<fieldset class=\"machines\">\n<legend>Machine</legend>\n";
    for (std::size_t i = 0; i < machines_.size(); ++i)
      out += fmt::format(
          "<label><input type=\"radio\" name=\"machine-{}\" id=\"{}\" class=\"m-{}\" autocomplete=\"off\"{}> {}</label>\n",
          html(id_slug(machines_[i]->study)), html(machines_[i]->id), i, i == 0 ? " checked" : "", html(machines_[i]->machine));
    return out + "</fieldset>\n";
  }

  /// The title of a slot. If it differs between machines, each has its own.
  [[nodiscard]] std::string title(const Slot& slot) const {
    const std::string& first = slot.first().title;
    const auto is_same = [&](const auto& of) { return of.second->title == first; };
    if (slot.across != nullptr || std::ranges::all_of(slot.of_machines, is_same)) return prose(first);
    std::string out;
    for (const auto& [machine, section] : slot.of_machines)
      out += fmt::format("<span{}>{}</span>", shown_on({machine}), prose(section->title));
    return out;
  }

  [[nodiscard]] std::string contents() const {
    std::string out = fmt::format("<nav aria-label=\"Sections\">\n<ul>\n");
    each([&](const std::string& id, const Slot& slot) {
      out += fmt::format("<li{}><a href=\"#{}\">{}{}</a></li>\n", shown_on(slot), html(id),
                         slot.first().is_appendix ? "Appendix: " : "", title(slot));
    });
    return out + "</ul>\n</nav>\n";
  }

  [[nodiscard]] Drawn drawn(std::size_t machine, const Section* section = nullptr) const {
    return {svgs_, anchors_of(*machines_[machine]), leads_[machine] == nullptr ? "" : leads_[machine]->id,
            !closed_.contains(section)};
  }
  [[nodiscard]] Drawn drawn_across() const { return {svgs_, all_anchors_, common_lead_ == nullptr ? "" : common_lead_->id}; }

  [[nodiscard]] std::string section(const std::string& id, const Slot& slot) const {
    std::string out = fmt::format("<section{}>\n<h3 id=\"{}\">{}</h3>\n", shown_on(slot), html(id), title(slot));
    if (slot.across != nullptr)
      out += fmt::format("<div id=\"{}\">\n{}</div>\n", html(slot.across->id), reports::render(*slot.across, drawn_across()));
    for (const auto& [machine, section] : slot.of_machines) {
      out += fmt::format("<div id=\"{}\"{}>\n{}", html(section->id), shown_on({machine}),
                         reports::render(*section, drawn(machine, section)));
      if (section->is_appendix && !left_out_[machine].empty())
        out += fmt::format("<p class=\"note left-out\">Left out here. {}</p>\n",
                           prose(fmt::format("{}", fmt::join(left_out_[machine], " "))));
      out += "</div>\n";
    }
    return out + "</section>\n";
  }

  /// The first screen: the question, the answers, and one figure that illustrates them.
  [[nodiscard]] std::string leads() const {
    std::string out;
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const std::string shown = answers(*machines_[i]) + (leads_[i] == nullptr ? "" : reports::render(*leads_[i], drawn(i)));
      if (!shown.empty()) out += fmt::format("<div{}>\n{}</div>\n", shown_on({i}), shown);
    }
    return out + (common_lead_ == nullptr ? "" : reports::render(*common_lead_, drawn_across()));
  }

  [[nodiscard]] std::string answers(const Chapter& chapter) const {
    std::string out;
    if (!chapter.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", prose(chapter.question));
    if (machines_.size() > 1) out += fmt::format("<p class=\"on-paper\">Machine: {}</p>\n", html(chapter.machine));
    std::string items;
    for (std::size_t i = 0; i < chapter.findings.size(); ++i) {
      const Finding& finding = chapter.findings[i];
      if (!finding.is_on_page()) continue;
      items += fmt::format("<li{} title=\"{}\">{}", finding.holds ? "" : " class=\"denied\"", html(finding.how),
                           prose(finding.text) + (finding.is_older ? " (rows older than the current code)" : ""));
      if (!finding.rows.empty())
        items += fmt::format(" <a href=\"rows/{}\">{}</a>", html(rows_file(chapter, i)), counted(finding.rows.size(), "row"));
      items += "</li>\n";
    }
    for (const std::string& answer : chapter.answers)
      items += headline("li", "", answer);
    if (!items.empty()) out += "<ul class=\"answer\">\n" + items + "</ul>\n";
    if (!chapter.disturbance.empty()) out += fmt::format("<p class=\"warning\">{}</p>\n", prose(chapter.disturbance));
    return out.empty() ? "" : "<div class=\"lead\">\n" + out + "</div>\n";
  }

  const std::map<std::string, std::string>& svgs_;
  std::vector<const Chapter*> machines_;
  const Chapter* across_ = nullptr;
  Anchors all_anchors_;
  std::map<std::pair<bool, std::size_t>, Slot> slots_;  ///< by appendix and place
  std::vector<std::vector<std::string>> left_out_;      ///< by machine: titles of sections, with the reason
  std::vector<const Figure*> leads_;                    ///< by machine
  std::set<const Section*> closed_;                     ///< sections whose figures and tables are all folded
  const Figure* common_lead_ = nullptr;                 ///< instead of those of the machines
};

/// Style rules that hide the content of all machines but the selected one.
std::string machine_style(std::size_t machines) {
  std::string out;
  for (std::size_t i = 0; machines > 1 && i < machines; ++i)
    out += fmt::format("article:has(.m-{0}:checked) .on:not(.on-{0}) {{ display: none; }}\n", i);
  return out;
}

}  // namespace

bool is_empty(const Section& section) {
  return std::ranges::all_of(section.parts, [](const Part& part) {
    const auto* paragraph = std::get_if<Paragraph>(&part);
    const auto* table = std::get_if<Table>(&part);
    return paragraph != nullptr ? paragraph->kind == Paragraph::Kind::note || paragraph->kind == Paragraph::Kind::text
                                : table != nullptr && table->rows.empty();
  });
}

std::vector<const Row*> first_rows(const Chapter& chapter) {
  const auto first = std::ranges::find_if(chapter.findings, &Finding::is_on_page);
  std::vector<const Row*> rows = first == chapter.findings.end() ? chapter.answer_rows : first->rows;
  const auto is_ceiling = [](const Row* row) { return row->kind == "ceiling"; };
  if (!std::ranges::all_of(rows, is_ceiling)) std::erase_if(rows, is_ceiling);
  return rows;
}

const Figure* leading_figure(const Chapter& chapter) { return leading_figure(chapter.sections, first_rows(chapter)); }

std::string rows_file(const Chapter& chapter, std::size_t i) { return fmt::format("finding-{}-{}.csv", chapter.id, i + 1); }

std::string document(const std::string& title, const std::string& header, const std::string& main, const std::string& footer,
                     const std::string& style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{1}{6}</style>\n</head>\n<body>\n<header>\n<h1>{7}</h1>\n{2}</header>\n"
      "<main>\n{3}</main>\n<footer>\n{4}</footer>\n<script>{5}</script>\n</body>\n</html>\n",
      html(title), page_style, header, main, footer, page_script, style, prose(title));
}

std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::map<std::string, std::string>& svgs,
                 const std::vector<std::string>& warnings) {
  std::string out;
  for (const std::string& warning : warnings)
    out += render(Paragraph{Paragraph::Kind::warning, warning});
  std::vector<std::pair<std::string, std::vector<const Chapter*>>> studies;
  for (const Chapter& chapter : chapters) {
    if (studies.empty() || studies.back().first != chapter.study) studies.emplace_back(chapter.study, 0);
    studies.back().second.push_back(&chapter);
  }
  if (studies.size() > 1) {
    out += "<nav aria-label=\"Studies\">\n<ul>\n";
    for (const auto& [name, its_chapters] : studies)
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(id_slug(name)), prose(its_chapters.front()->title));
    out += "</ul>\n</nav>\n";
  }
  std::string main;
  std::size_t machines = 0;
  for (const auto& [name, its_chapters] : studies) {
    const StudyPage study(its_chapters, svgs);
    main += study.render(studies.size() == 1);
    machines = std::max(machines, study.machines());
  }
  return document(
      title, out, main,
      "<h2 id=\"reading\">How to read this</h2>\n<p class=\"sub\">All values come from the stored rows that the "
      "captions name; nothing is measured or extrapolated here. Times and rates are medians over samples. A ratio is "
      "the median of the ratios in the rounds in which both were measured, with a 95 % bootstrap interval in brackets; "
      "† marks a ratio between different rounds of a session, ‡ one between different sessions. Hover over a value or "
      "a point for its exact value. Links below a table or figure lead to its rows, and from there to their "
      "sessions.</p>\n",
      machine_style(machines));
}

}  // namespace ladder::reports
