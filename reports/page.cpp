#include "reports/page.hpp"

#include <fmt/format.h>

#include <set>

#include "reports/text.hpp"

namespace ladder::reports {
namespace {

// The attribute selectors find the neutral colours of plot.hpp as gnuplot prints them.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1a1a1a; --muted: #5c5c5c; --line: #dcdcdc; --faint: #eeeeee;
        --shade: #f5f6f7; --link: #00527f; --flag: #fdecd9; }
@media (prefers-color-scheme: dark) {
  :root { --page: #15181b; --ink: #e8e6e3; --muted: #a5a29d; --line: #3a3f44; --faint: #2a2e32; --shade: #1e2226;
          --link: #7cc4f0; --flag: #4d3210; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, "DejaVu Sans", Verdana, sans-serif; }
main, header, nav { max-width: 1360px; margin: 0 auto; padding: 0 20px; }
h1 { font-size: 1.7em; margin: 1em 0 .2em; }
h2 { font-size: 1.45em; margin: 2.2em 0 .2em; padding-top: .6em; border-top: 2px solid var(--ink); }
h3 { font-size: 1.2em; margin: 2em 0 .4em; }
p { max-width: 90ch; margin: .5em 0; }
p.caption, p.sub { max-width: 130ch; }
figcaption { margin-top: .5em; }
a { color: var(--link); }
a[href^="#table-"] { white-space: nowrap; }
nav ul { columns: 2; padding-left: 1.2em; margin: .3em 0; }
.sub, figcaption, .caption, .note { color: var(--muted); font-size: .88em; }
.warning { background: var(--flag); padding: .5em .8em; border-radius: 4px; }
.scroll { overflow-x: auto; margin: .8em 0 .2em; }
table { border-collapse: collapse; font-size: .88em; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { border-bottom: 2px solid var(--ink); vertical-align: bottom; }
td.n, th.n { text-align: right; }
td { white-space: nowrap; }
td.long { white-space: normal; min-width: 22em; }
td.flag { background: var(--flag); }
tbody tr:hover { background: var(--shade); }
.title, summary { font-weight: 600; margin: 1.4em 0 0; }
figure { margin: 1.4em 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption b { color: var(--ink); }
svg [fill="#ffffff"], svg [fill="rgb(255,255,255)"] { fill: var(--page); }
svg [fill="rgb(26,26,26)"] { fill: var(--ink); }
svg [stroke="rgb( 26,  26,  26)"] { stroke: var(--ink); }
svg [color="rgb( 26,  26,  26)"] { color: var(--ink); }
svg [fill="rgb(107,107,107)"] { fill: var(--muted); }
svg [stroke="rgb(107, 107, 107)"] { stroke: var(--muted); }
svg [color="rgb(107, 107, 107)"] { color: var(--muted); }
svg [stroke="rgb(220, 220, 220)"] { stroke: var(--line); }
svg [stroke="rgb(238, 238, 238)"] { stroke: var(--faint); }
@media (prefers-color-scheme: dark) {
  svg [fill="rgb(0,114,178)"], svg [fill="rgb(  0, 114, 178)"] { fill: #4aa3df; }
  svg [stroke="rgb(  0, 114, 178)"] { stroke: #4aa3df; }
  svg [color="rgb(  0, 114, 178)"] { color: #4aa3df; }
}
svg g[color="black"] { color: var(--ink); }
svg g:hover > use { stroke-width: .6; }
@media print { nav { display: none; } h3, figure, tr { break-inside: avoid; } }
)css";

std::string file_links(const std::string& folder, const std::string& id, const char* first, const char* second) {
  return fmt::format("<a href=\"{0}/{1}.{2}\">{2}</a> <a href=\"{0}/{1}.{3}\">{3}</a>", folder, html(id), first, second);
}

std::string render(const Paragraph& p) {
  const char* kind = p.kind == Paragraph::Kind::note      ? " class=\"note\""
                     : p.kind == Paragraph::Kind::warning ? " class=\"warning\""
                                                          : "";
  return fmt::format("<p{}>{}</p>\n", kind, html(p.text));
}

/// Anchors of the sessions' descriptions, by session.
using Anchors = std::map<std::string, std::string>;

Anchors anchors_of(const Chapter& chapter) {
  Anchors anchors;
  for (const Section& section : chapter.sections) {
    for (const Part& part : section.parts) {
      const auto* table = std::get_if<Table>(&part);
      if (table != nullptr && !table->session.empty()) anchors[table->session] = "table-" + table->id;
    }
  }
  return anchors;
}

/// Links from a table or figure to its rows and to their sessions.
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

std::string render(const Table& t, const Anchors& anchors) {
  const std::string body = fmt::format("<div class=\"scroll\">{}</div>\n<p class=\"caption\">{} {}{}</p>\n", to_html(t),
                                       html(t.caption), file_links("tables", t.id, "csv", "md"), source_links(t, anchors));
  if (!t.is_folded) return fmt::format("<p class=\"title\" id=\"table-{}\">{}</p>\n{}", html(t.id), html(t.title), body);
  return fmt::format("<details id=\"table-{}\"><summary>{} ({})</summary>\n{}</details>\n", html(t.id), html(t.title),
                     counted(t.rows.size(), "row"), body);
}

/// The SVG element without the XML declaration, which HTML does not allow.
std::string_view element(std::string_view svg) { return svg.substr(svg.find("<svg")); }

std::string render(const Figure& f, const std::string& svg, const Anchors& anchors) {
  return fmt::format(
      "<figure id=\"figure-{}\" style=\"max-width:{}px\">\n{}<figcaption><b>{}.</b> {} {}{}</figcaption>\n</figure>\n",
      html(f.id), f.plot.width(), element(svg), html(f.title), html(f.caption), file_links("figures", f.id, "svg", "pdf"),
      source_links(f, anchors));
}

std::string render(const Section& section, const std::map<std::string, std::string>& svgs, const Anchors& anchors) {
  std::string out = fmt::format("<section>\n<h3 id=\"{}\">{}</h3>\n", html(section.id), html(section.title));
  for (const Part& part : section.parts) {
    if (const auto* figure = std::get_if<Figure>(&part)) {
      out += render(*figure, svgs.at(figure->id), anchors);
    } else if (const auto* table = std::get_if<Table>(&part)) {
      out += render(*table, anchors);
    } else {
      out += render(std::get<Paragraph>(part));
    }
  }
  return out + "</section>\n";
}

std::string contents(const std::vector<Chapter>& chapters) {
  std::string out = "<nav>\n";
  for (const Chapter& chapter : chapters) {
    out += fmt::format("<p><a href=\"#{}\"><b>{}</b></a></p>\n<ul>\n", html(chapter.id), html(chapter.title));
    for (const Section& section : chapter.sections) {
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(section.id), html(section.title));
    }
    out += "</ul>\n";
  }
  return out + "</nav>\n";
}

}  // namespace

std::string rows_file(const Table& table) { return fmt::format("table-{}.csv", table.id); }

std::string rows_file(const Figure& figure) { return fmt::format("figure-{}.csv", figure.id); }

std::string page(const std::vector<Chapter>& chapters, const std::map<std::string, std::string>& svgs,
                 const std::vector<std::string>& warnings) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>LBM Ladder report</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<header>\n<h1>LBM Ladder report</h1>\n",
      style);
  out +=
      "<p class=\"sub\">Every number comes from the stored rows that its caption names; nothing is measured or extrapolated "
      "here. "
      "Times and rates are medians over samples. A ratio is the median of the ratios of the rounds in which both were "
      "measured, "
      "with a 95 % bootstrap interval in brackets; † marks a ratio between different rounds of a session, ‡ one between "
      "different "
      "sessions. Rest the pointer on a number or a point for its exact value. Under a table or figure are links to its rows, "
      "and from there to their sessions.</p>\n";
  for (const std::string& warning : warnings)
    out += render(Paragraph{Paragraph::Kind::warning, warning});
  out += "</header>\n" + contents(chapters) + "<main>\n";
  Anchors all;
  for (const Chapter& chapter : chapters)
    all.merge(anchors_of(chapter));
  for (const Chapter& chapter : chapters) {
    out += fmt::format("<h2 id=\"{}\">{}</h2>\n<p class=\"sub\">{}</p>\n", html(chapter.id), html(chapter.title),
                       html(chapter.subtitle));
    Anchors anchors = anchors_of(chapter);
    if (anchors.empty()) anchors = all;
    for (const Section& section : chapter.sections)
      out += render(section, svgs, anchors);
  }
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace ladder::reports
