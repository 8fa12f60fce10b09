#include "reports/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/format.hpp"

namespace ladder::reports {

extern const std::string_view page_style, page_script;  // page.css and page.js

namespace {

std::string file_links(const std::string& folder, const std::string& id, const char* first, const char* second) {
  return fmt::format("<a href=\"{0}/{1}.{2}\">{2}</a> <a href=\"{0}/{1}.{3}\">{3}</a>", folder, html(id), first, second);
}

std::string render(const Paragraph& p) {
  const char* kind = p.kind == Paragraph::Kind::finding   ? " class=\"finding\""
                     : p.kind == Paragraph::Kind::note    ? " class=\"note\""
                     : p.kind == Paragraph::Kind::warning ? " class=\"warning\""
                                                          : "";
  return fmt::format("<p{}>{}</p>\n", kind, html(p.text));
}

/// Anchors of the session descriptions, by session.
using Anchors = std::map<std::string, std::string>;

Anchors anchors_of(const Chapter& chapter) {
  Anchors anchors;
  for (const Section& section : chapter.sections)
    for (const Part& part : section.parts)
      if (const auto* table = std::get_if<Table>(&part); table != nullptr && !table->session.empty())
        anchors[table->session] = "table-" + table->id;
  return anchors;
}

/// Links from a table or figure to its rows and their sessions.
template <class TableOrFigure>
std::string source_links(const TableOrFigure& part, const Anchors& anchors) {
  if (part.sources.empty()) return "";
  const std::set<const Row*> rows(part.sources.begin(), part.sources.end());
  std::set<std::string> sessions;
  for (const Row* row : rows)
    sessions.insert(row->session);
  std::string out = fmt::format(" <a href=\"rows/{}\">{}</a>", html(rows_file(part)), counted(rows.size(), "row"));
  for (const std::string& session : sessions) {
    const auto anchor = anchors.find(session);
    if (anchor != anchors.end()) out += fmt::format(" <a href=\"#{}\">session {}</a>", html(anchor->second), html(session));
  }
  return out;
}

std::string render(const Table& t, const Anchors& anchors, bool is_folded) {
  const std::string body =
      fmt::format("<div class=\"scroll\" tabindex=\"0\">{}</div>\n<p class=\"caption\">{} {}{}</p>\n", to_html(t),
                  html(t.caption), file_links("tables", t.id, "csv", "md"), source_links(t, anchors));
  if (!is_folded) return fmt::format("<p class=\"title\" id=\"table-{}\">{}</p>\n{}", html(t.id), html(t.title), body);
  return fmt::format("<details id=\"table-{}\"><summary>{} ({})</summary>\n{}</details>\n", html(t.id), html(t.title),
                     counted(t.rows.size(), "row"), body);
}

/// The SVG element without the XML declaration, which is not allowed inside HTML.
std::string_view element(std::string_view svg) { return svg.substr(svg.find("<svg")); }

std::string render(const Figure& f, const std::string& svg, const Anchors& anchors) {
  return fmt::format(
      "<figure id=\"figure-{}\"{} style=\"max-width:{}px\">\n<div class=\"scroll\" tabindex=\"0\">{}</div>"
      "<figcaption><b>{}.</b> {} {}{}</figcaption>\n</figure>\n",
      html(f.id), f.series.empty() ? "" : fmt::format(" data-series=\"{}\"", html(fmt::format("{}", fmt::join(f.series, "|")))),
      f.narrow ? 1920 : f.plot.width(), element(svg), html(f.title), html(f.caption), file_links("figures", f.id, "svg", "pdf"),
      source_links(f, anchors));
}

/// Shows the essentials first: findings, text, figures, notes, then tables, which are collapsed if a figure shows the same
/// values. `elsewhere` is the id of a figure that is shown at the top of the chapter.
std::string render(const Section& section, const std::map<std::string, std::string>& svgs, const Anchors& anchors,
                   const std::string& elsewhere) {
  std::string out = fmt::format("<section>\n<h3 id=\"{}\">{}</h3>\n", html(section.id), html(section.title));
  const auto each = [&](auto wanted) {
    for (const Part& part : section.parts)
      out += wanted(part);
  };
  const auto paragraphs = [&](Paragraph::Kind kind) {
    each([&](const Part& part) {
      const auto* paragraph = std::get_if<Paragraph>(&part);
      return paragraph != nullptr && paragraph->kind == kind ? render(*paragraph) : "";
    });
  };
  paragraphs(Paragraph::Kind::warning);
  paragraphs(Paragraph::Kind::finding);
  paragraphs(Paragraph::Kind::text);
  bool has_figure = false;
  each([&](const Part& part) -> std::string {
    const auto* figure = std::get_if<Figure>(&part);
    if (figure == nullptr) return "";
    has_figure = true;
    if (figure->id != elsewhere) return render(*figure, svgs.at(figure->id), anchors);
    return fmt::format("<p class=\"note\"><a href=\"#figure-{}\">{}</a> is at the top.</p>\n", html(figure->id),
                       html(figure->title));
  });
  paragraphs(Paragraph::Kind::note);
  each([&](const Part& part) {
    const auto* table = std::get_if<Table>(&part);
    return table == nullptr ? "" : render(*table, anchors, table->is_folded || has_figure);
  });
  return out + "</section>\n";
}

/// The figure to show at the top of a chapter: the first one with stored rows in the section that leads, else in any section
/// outside the appendix. Null if there is none.
const Figure* leading_figure(const Chapter& chapter) {
  const Figure* found = nullptr;
  for (const Section& section : chapter.sections) {
    if (section.is_appendix || (found != nullptr && !section.leads)) continue;
    for (const Part& part : section.parts) {
      const auto* figure = std::get_if<Figure>(&part);
      if (figure == nullptr || figure->sources.empty()) continue;
      if (section.leads) return figure;
      found = figure;
      break;
    }
  }
  return found;
}

/// Calls `visit` with each section, appendix sections last.
template <class Visit>
void each_section(const Chapter& chapter, Visit visit) {
  for (const bool is_appendix : {false, true})
    for (const Section& section : chapter.sections)
      if (section.is_appendix == is_appendix) visit(section);
}

std::string contents(const Chapter& chapter) {
  std::string out = fmt::format("<nav aria-label=\"Sections of {}\">\n<ul>\n", html(chapter.title));
  each_section(chapter, [&](const Section& section) {
    out += fmt::format("<li><a href=\"#{}\">{}{}</a></li>\n", html(section.id), section.is_appendix ? "Appendix: " : "",
                       html(section.title));
  });
  return out + "</ul>\n</nav>\n";
}

/// The first screen: the question, the answers, and one figure that illustrates them.
std::string lead(const Chapter& chapter, const Figure* figure, const std::map<std::string, std::string>& svgs,
                 const Anchors& anchors) {
  std::string out;
  if (!chapter.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", html(chapter.question));
  std::string answers;
  for (std::size_t i = 0; i < chapter.findings.size(); ++i) {
    const Finding& finding = chapter.findings[i];
    if (!finding.is_on_page()) continue;
    answers +=
        fmt::format("<li{} title=\"{}\">{}", finding.holds ? "" : " class=\"denied\"", html(finding.how), html(finding.text));
    if (!finding.rows.empty())
      answers += fmt::format(" <a href=\"rows/{}\">{}</a>", html(rows_file(chapter, i)), counted(finding.rows.size(), "row"));
    answers += "</li>\n";
  }
  for (const std::string& answer : chapter.answers)
    answers += fmt::format("<li>{}</li>\n", html(answer));
  if (!answers.empty()) out += "<ul class=\"answer\">\n" + answers + "</ul>\n";
  if (!chapter.disturbance.empty()) out += fmt::format("<p class=\"warning\">{}</p>\n", html(chapter.disturbance));
  if (!out.empty()) out = "<div class=\"lead\">\n" + out + "</div>\n";
  if (figure != nullptr) out += render(*figure, svgs.at(figure->id), anchors);
  return out;
}

/// `is_alone`: this is the only chapter, and the page is named after it.
std::string render(const Chapter& chapter, const std::map<std::string, std::string>& svgs, const Anchors& anchors,
                   bool is_alone) {
  const Figure* figure = leading_figure(chapter);
  std::string out = is_alone ? "" : fmt::format("<h2 id=\"{}\">{}</h2>\n", html(chapter.id), html(chapter.title));
  if (!chapter.subtitle.empty()) out += fmt::format("<p class=\"sub\">{}</p>\n", html(chapter.subtitle));
  out += lead(chapter, figure, svgs, anchors) + contents(chapter);
  each_section(chapter,
               [&](const Section& section) { out += render(section, svgs, anchors, figure == nullptr ? "" : figure->id); });
  return out;
}

}  // namespace

std::string rows_file(const Table& table) { return fmt::format("table-{}.csv", table.id); }

std::string rows_file(const Figure& figure) { return fmt::format("figure-{}.csv", figure.id); }

std::string rows_file(const Chapter& chapter, std::size_t i) { return fmt::format("finding-{}-{}.csv", chapter.id, i + 1); }

std::string document(const std::string& title, const std::string& header, const std::string& main, const std::string& footer) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n{2}</header>\n"
      "<main>\n{3}</main>\n<footer>\n{4}</footer>\n<script>{5}</script>\n</body>\n</html>\n",
      html(title), page_style, header, main, footer, page_script);
}

std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::map<std::string, std::string>& svgs,
                 const std::vector<std::string>& warnings) {
  std::string out;
  for (const std::string& warning : warnings)
    out += render(Paragraph{Paragraph::Kind::warning, warning});
  if (chapters.size() > 1) {
    out += "<nav aria-label=\"Chapters\">\n<ul>\n";
    for (const Chapter& chapter : chapters)
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(chapter.id), html(chapter.title));
    out += "</ul>\n</nav>\n";
  }
  Anchors all;
  for (const Chapter& chapter : chapters)
    all.merge(anchors_of(chapter));
  std::string main;
  for (const Chapter& chapter : chapters) {
    Anchors anchors = anchors_of(chapter);
    if (anchors.empty()) anchors = all;
    main += render(chapter, svgs, anchors, chapters.size() == 1);
  }
  return document(
      title, out, main,
      "<h2 id=\"reading\">How to read this</h2>\n<p class=\"sub\">All values come from the stored rows that the "
      "captions name; nothing is measured or extrapolated here. Times and rates are medians over samples. A ratio is "
      "the median of the ratios in the rounds in which both were measured, with a 95 % bootstrap interval in brackets; "
      "† marks a ratio between different rounds of a session, ‡ one between different sessions. Hover over a value or "
      "a point for its exact value. Links below a table or figure lead to its rows, and from there to their "
      "sessions.</p>\n");
}

}  // namespace ladder::reports
