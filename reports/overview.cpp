#include "reports/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "reports/chapters.hpp"
#include "reports/page.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view mark = "<!-- LBM Ladder: all reports -->";

/// The fastest cell of a rung for one case and precision, by machine.
struct Rate {
  const Cell* cell = nullptr;
  std::string study;
  std::string chapter;  ///< id of its chapter on the page of the study
};
using Line = std::map<std::string, Rate>;  ///< by machine
/// Keyed by model, rung, case and precision.
using Rates = std::map<std::string, std::map<std::tuple<std::string, std::string, std::string>, Line>>;

/// A study, its results on each machine and its chapters.
struct Found {
  Study study;
  std::deque<Results> results;  ///< one per machine, in the order of the study's page
  std::vector<Chapter> chapters;
};

void add_rates(const Found& found, Rates& rates) {
  for (std::size_t i = 0; i < found.results.size(); ++i)
    for (const Cell& cell : found.results[i].cells()) {
      const Row& row = *cell.row;
      if (row.build != "default") continue;
      Rate& rate = rates[row.rung.substr(0, row.rung.find('/'))][{row.rung, row.case_name, row.precision}]
                        [found.results[i].data().label()];
      if (rate.cell == nullptr || cell.median > rate.cell->median) rate = {&cell, found.study.name, found.chapters[i].id};
    }
}

/// The cells that a card's chart shows: those of the case and precision with most cells that have any of these rows, in the
/// order of the rungs, and at most `most`: the first one and the fastest. Cells of different cases are not compared.
std::vector<const Cell*> cells_of(const Results& results, const std::vector<const Row*>& rows, std::size_t most) {
  const std::set<const Row*> wanted(rows.begin(), rows.end());
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::vector<const Cell*>> by_case;
  for (const Cell& cell : results.cells())
    if (std::ranges::any_of(cell.rows, [&](const Row* row) { return wanted.contains(row); }))
      by_case[{cell.row->cells, cell.row->case_name, cell.row->precision}].push_back(&cell);
  std::vector<const Cell*> chosen;
  for (auto& [what, cells] : by_case) {  // the larger case of two with as many cells
    std::map<std::string, const Cell*> fastest;
    for (const Cell* cell : cells)
      if (const Cell*& best = fastest[cell->row->rung]; best == nullptr || best->median < cell->median) best = cell;
    if (fastest.size() < chosen.size()) continue;
    chosen.clear();
    for (const auto& [rung, cell] : fastest)
      chosen.push_back(cell);
  }
  while (chosen.size() > most)
    chosen.erase(
        std::min_element(chosen.begin() + 1, chosen.end(), [](const Cell* a, const Cell* b) { return a->median < b->median; }));
  return chosen;
}

/// A small chart of the rates that the first finding is about, or else that the leading figure shows; empty if there are fewer
/// than two of one case.
std::string chart(const Found& found) {
  constexpr std::size_t most = 5;
  constexpr int width = 400, lane = 32, value_width = 84;
  const Results& results = found.results.front();
  const Chapter& chapter = found.chapters.front();
  std::vector<const Cell*> cells = cells_of(results, first_rows(chapter), most);
  if (const Figure* figure = leading_figure(chapter); cells.size() < 2 && figure != nullptr) {
    std::vector<const Row*> rows = figure->sources;
    const std::string case_name = cells.empty() ? "" : cells.front()->row->case_name;
    std::erase_if(rows, [&](const Row* row) { return row->case_name != case_name; });
    cells = cells_of(results, rows, most);
    if (cells.size() < 2) cells = cells_of(results, figure->sources, most);
  }
  if (cells.size() < 2) return "";
  std::vector<std::string> rungs;
  for (const Cell* cell : cells)
    rungs.push_back(cell->row->rung);
  const Ceilings ceilings(results);
  const std::vector<std::string> names = idea_names({found.study, results, ceilings}, rungs);
  const auto rate = [](const Cell* cell) { return cell->mlups(); };
  const double highest = rate(*std::ranges::max_element(cells, {}, rate));
  const Row& row = *cells.front()->row;
  const std::string caption = fmt::format("MLUPS, {}, {}", row.case_name, row.precision);
  std::string out = fmt::format("<figure class=\"small\">\n<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width,
                                lane * static_cast<int>(cells.size()), html(caption));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int top = lane * static_cast<int>(i);
    const double length = std::max(1.0, (width - value_width) * cells[i]->mlups() / highest);
    out += fmt::format(
        "<g><title>{}: {} MLUPS</title><text x=\"0\" y=\"{}\">{}</text><rect x=\"0\" y=\"{}\" width=\"{:.1f}\" height=\"10\"/>"
        "<text x=\"{:.1f}\" y=\"{}\">{}</text></g>\n",
        html(cells[i]->describe()), exact(cells[i]->mlups()), top + 13, html(names[i]), top + 18, length, length + 6, top + 27,
        significant(cells[i]->mlups()));
  }
  return out + fmt::format("</svg>\n<figcaption>{}</figcaption>\n</figure>\n", html(caption));
}

/// The address of a chapter of a study's page; without `chapter`, of the page. Every folder name leads to that folder, also one
/// like `javascript:x` or `a#b`.
std::string address(const std::string& study, const std::string& chapter = "") {
  std::string out = "./";
  for (const char c : study) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                          c == '.' || c == '~';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out + "/index.html" + (chapter.empty() ? "" : "#" + chapter);
}

/// Links to a study's page, one for each machine, which it then shows.
std::string machine_links(const Found& found) {
  std::string out;
  for (std::size_t i = 0; i < found.results.size(); ++i)
    out += fmt::format("{}<a href=\"{}\">{}</a>", i == 0 ? "" : " · ", html(address(found.study.name, found.chapters[i].id)),
                       html(found.results[i].data().label()));
  return out;
}

/// A study in short: its question, its first finding, a chart and its machines.
std::string card(const Found& found) {
  const Study& study = found.study;
  const std::vector<std::string> sentences = answers_of(found.chapters.front());
  std::string out = fmt::format("<section class=\"card\">\n<h2 id=\"{}\"><a href=\"{}\">{}</a></h2>\n", html(study.name),
                                html(address(study.name)), prose(study.title));
  if (!study.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", prose(study.question));
  out += fmt::format("<p>{}</p>\n", prose(sentences.empty() ? "No rates." : sentences.front()));
  return out + chart(found) + fmt::format("<p class=\"sub\">{}</p>\n</section>\n", machine_links(found));
}

/// The newest session of all studies, with its answers; empty if there is none.
std::string latest(const std::deque<Found>& all) {
  const Found* newest = nullptr;
  std::size_t at = 0;
  for (const Found& found : all)
    for (std::size_t i = 0; i < found.results.size(); ++i) {
      const std::string session = last_session(found.results[i].data());
      if (session.empty() || (newest != nullptr && session <= last_session(newest->results[at].data()))) continue;
      newest = &found;
      at = i;
    }
  if (newest == nullptr) return "";
  const MachineData& data = newest->results[at].data();
  std::string out = fmt::format(
      "<section class=\"lead\">\n<h2 id=\"latest\">Latest results: <a href=\"{}\">{}</a></h2>\n<p "
      "class=\"sub\">{}, "
      "session {}, {}</p>\n",
      html(address(newest->study.name, newest->chapters[at].id)), prose(newest->study.title), html(data.label()),
      html(data.sessions.back().session), html(data.sessions.back().utc));
  if (!newest->study.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", prose(newest->study.question));
  const std::vector<std::string> sentences = answers_of(newest->chapters[at]);
  out += "<ul class=\"answer\">\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(sentences.size(), 3); ++i)
    out += fmt::format("<li>{}</li>\n", prose(sentences[i]));
  return out + "</ul>\n</section>\n";
}

/// A collapsed table of a model's rates, with a column for each machine that has any.
std::string table_of(const std::string& model, const std::map<std::tuple<std::string, std::string, std::string>, Line>& lines) {
  std::set<std::string> machines;
  for (const auto& [what, line] : lines)
    for (const auto& [machine, rate] : line)
      machines.insert(machine);
  Table table{"rates", model, {{"Rung", "rung", false}, {"Case", "case", false}, {"Precision", "precision", false}}};
  for (const std::string& machine : machines)
    table.columns.push_back({machine, id_slug(machine)});
  for (const auto& [what, line] : lines) {
    const auto& [rung, case_name, precision] = what;
    std::vector<TableCell> row{rung, case_name, precision};
    for (const std::string& machine : machines) {
      TableCell& shown = row.emplace_back("—");
      const auto rate = line.find(machine);
      if (rate == line.end()) continue;
      const Cell& cell = *rate->second.cell;
      shown.text = significant(cell.mlups(), 4) + (cell.row->is_checked() ? "" : " (not checked)");
      shown.hover = fmt::format("{} MLUPS, {}{}{}, study {}", exact(cell.mlups()), cell.row->device,
                                cell.row->tuning.empty() ? "" : ", ", cell.row->tuning, rate->second.study);
      shown.link = address(rate->second.study, rate->second.chapter);
    }
    table.rows.push_back(std::move(row));
  }
  return fmt::format(
      "<details class=\"rates\"><summary>{} ({})</summary>\n<div class=\"scroll\" tabindex=\"0\">{}</div>\n</details>\n",
      html(model), counted(lines.size(), "row"), to_html(table));
}

std::string make_overview(const ReportOptions& options) {
  std::deque<Found> all;
  for (const std::string& name : options.studies) {
    Found& found = all.emplace_back(
        Found{.study = read_study(options.experiments / name, options.machine), .results = {}, .chapters = {}});
    order_machines(found.study);
    for (const MachineData& data : found.study.machines)
      found.results.emplace_back(data);
    found.chapters = make_chapters(found.study);
  }
  Rates rates;
  std::string cards;
  std::vector<const Found*> by_place;
  for (const Found& found : all) {
    if (!found.results.empty()) by_place.push_back(&found);
    add_rates(found, rates);
  }
  std::ranges::stable_sort(by_place, {}, [](const Found* found) { return found->study.place; });
  for (const Found* found : by_place)
    cards += card(*found);
  std::size_t count = 0;
  std::string tables;
  for (const auto& [model, lines] : rates) {
    count += lines.size();
    tables += table_of(model, lines);
  }
  const std::string all_rates = fmt::format(
      "<details id=\"rates\" class=\"all-rates\"><summary>All rungs on all machines ({})</summary>\n<p>MLUPS: medians over the "
      "samples of the fastest tuning in each study; if several studies have a value, the fastest is shown. Each value links to "
      "its "
      "study; hover over it for device and tuning. Rates of different machines come from different sessions. Rungs were "
      "measured "
      "on different cases; only rates on one line can be compared.</p>\n{}</details>\n",
      counted(count, "row"), tables);
  return document("LBM Ladder: all reports", std::string(mark) + "\n",
                  latest(all) + all_rates + "<div class=\"cards\">\n" + cards + "</div>\n",
                  "<p class=\"sub\">All values come from stored rows, which each report names. Cards show the machine that the "
                  "findings of a study were written for, else the newest one. Bars are medians.</p>\n");
}

}  // namespace

void require_overview_folder(const std::filesystem::path& out) {
  const std::filesystem::path path = out / "index.html";
  if (std::error_code none; std::filesystem::exists(path, none) && read_whole(path).find(mark) == std::string::npos)
    throw FileError(path, 0, "is not a page over all reports; accepted: another folder (--out), or remove it");
}

ReportResult write_overview(const ReportOptions& options) {
  require_overview_folder(options.out);
  const std::filesystem::path path = options.out / "index.html";
  write_file(path, make_overview(options));
  return {path, {path}, {}, {}};
}

Verification verify_overview(const ReportOptions& options) {
  const std::filesystem::path path = options.out / "index.html";
  Verification result;
  if (std::error_code none; !std::filesystem::exists(path, none))
    result.mismatches.push_back({path, "is missing"});
  else if (read_whole(path) != make_overview(options))
    result.mismatches.push_back({path, "differs from the page that the stored rows give"});
  return result;
}

}  // namespace ladder::reports
