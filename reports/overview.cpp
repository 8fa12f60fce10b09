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
};
using Line = std::map<std::string, Rate>;  ///< by machine
/// Keyed by model, rung, case and precision.
using Rates = std::map<std::string, std::map<std::tuple<std::string, std::string, std::string>, Line>>;

/// A study and its results on each machine.
struct Found {
  Study study;
  std::deque<Results> results;  ///< one per machine, in the study's order
};

void add_rates(const Found& found, Rates& rates) {
  for (const Results& results : found.results)
    for (const Cell& cell : results.cells()) {
      const Row& row = *cell.row;
      if (row.build != "default") continue;
      Rate& rate =
          rates[row.rung.substr(0, row.rung.find('/'))][{row.rung, row.case_name, row.precision}][results.data().label()];
      if (rate.cell == nullptr || cell.median > rate.cell->median) rate = {&cell, found.study.name};
    }
}

std::string card(const Found& found) {
  const Study& study = found.study;
  std::string out =
      fmt::format("<section>\n<h2 id=\"{0}\"><a href=\"{0}/index.html\">{1}</a></h2>\n", html(study.name), html(study.title));
  if (!study.citation.empty()) out += fmt::format("<p class=\"sub\">{}</p>\n", html(study.citation));
  if (!study.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", html(study.question));
  const std::vector<Chapter> chapters = make_chapters(study);
  for (std::size_t i = 0; i < found.results.size(); ++i) {
    const Results& results = found.results[i];
    const std::vector<std::string> sentences = answers_of(chapters[i]);
    out +=
        fmt::format("<p><b>{}</b> ({}). {}</p>\n", html(results.data().label()), counted(results.cells().size(), "combination"),
                    html(sentences.empty() ? "No rates." : sentences.front()));
  }
  return out + "</section>\n";
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
      shown.link = rate->second.study + "/index.html";
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
    Found& found = all.emplace_back(Found{.study = read_study(options.experiments / name, options.machine), .results = {}});
    for (const MachineData& data : found.study.machines)
      found.results.emplace_back(data);
  }
  Rates rates;
  std::string cards;
  for (const Found& found : all) {
    cards += card(found);
    add_rates(found, rates);
  }
  std::string header = std::string(mark) + "\n<nav aria-label=\"Studies\">\n<ul>\n";
  for (const Found& found : all)
    header += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(found.study.name), html(found.study.title));
  header += "<li><a href=\"#rates\">All rungs on all machines</a></li>\n</ul>\n</nav>\n";
  std::string tables =
      "<section>\n<h2 id=\"rates\">All rungs on all machines</h2>\n<p>MLUPS: medians over the samples of the fastest tuning in "
      "each study; if several studies have a value, the fastest is shown. Each value links to its study; hover over it for "
      "device and tuning. Rates of different machines come from different sessions.</p>\n";
  for (const auto& [model, lines] : rates)
    tables += table_of(model, lines);
  return document("LBM Ladder: all reports", header, cards + tables + "</section>\n",
                  "<p class=\"sub\">All values come from stored rows, which each report names.</p>\n");
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
