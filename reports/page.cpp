#include "reports/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "reports/text.hpp"

namespace ladder::reports {
namespace {

// The attribute selectors find the neutral colours of plot.hpp as gnuplot prints them.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1a1a1a; --muted: #5c5c5c; --line: #dcdcdc; --faint: #eeeeee;
        --shade: #f5f6f7; --link: #00527f; --flag: #fdecd9; --lead: #eef4f8; }
@media (prefers-color-scheme: dark) {
  :root { --page: #15181b; --ink: #e8e6e3; --muted: #a5a29d; --line: #3a3f44; --faint: #2a2e32; --shade: #1e2226;
          --link: #7cc4f0; --flag: #4d3210; --lead: #1b2730; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", Verdana, sans-serif;
       overflow-wrap: break-word; }
main, header, footer { max-width: 1360px; margin: 0 auto; padding: 0 20px; }
h1 { font-size: 1.7em; line-height: 1.25; margin: .8em 0 .2em; }
h2 { font-size: 1.45em; margin: 2.2em 0 .2em; padding-top: .6em; border-top: 2px solid var(--ink); }
h3 { font-size: 1.2em; margin: 2.2em 0 .4em; }
p { max-width: 90ch; margin: .5em 0; }
p.caption, p.sub { max-width: 130ch; }
figcaption { margin-top: .5em; }
a { color: var(--link); }
a[href^="#table-"] { white-space: nowrap; }
nav ul { columns: 22em; padding-left: 1.2em; margin: .3em 0; }
.sub, figcaption, .caption, .note { color: var(--muted); font-size: .88em; }
.lead { background: var(--lead); border-radius: 6px; padding: .6em 1.2em 1em; margin: 1em 0; }
.lead p { font-size: 1.12em; }
.lead .question { font-weight: 600; }
.lead .answer { margin: .3em 0; padding-left: 1.2em; max-width: 95ch; font-size: 1.12em; }
.finding { font-weight: 600; border-left: 4px solid var(--link); padding-left: .7em; }
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
.title, summary { font-weight: 600; margin: 1em 0 0; }
summary { cursor: pointer; }
summary:focus-visible, a:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
figure { margin: 1.4em 0; }
figure svg { display: block; width: 100%; height: auto; min-width: 600px; }
figcaption b { color: var(--ink); }
.tools { display: flex; flex-wrap: wrap; gap: 4px; margin: .3em 0; }
.tools button { font: inherit; font-size: .82em; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px;
                background: var(--page); color: var(--ink); cursor: pointer; }
.tools button[aria-pressed="true"] { background: var(--link); color: var(--page); }
figure.large { position: fixed; inset: 0; z-index: 1; margin: 0; padding: 12px; max-width: none !important; overflow: auto;
               background: var(--page); }
figure.large .scroll { overflow: visible; }
svg g.away { opacity: .1; }
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
@media (max-width: 700px) { main, header, footer { padding: 0 12px; } .lead { padding: .4em .8em .8em; } h1 { font-size: 1.4em; } }
@media print {
  nav, .tools { display: none; }
  h3, figure, tr { break-inside: avoid; }
  body { font-size: 11px; }
  .scroll { overflow: visible; }
  figure svg { min-width: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
)css";

// Optional comfort: everything can be read without it. `data-series` of a figure has the series of each of gnuplot's groups.
constexpr std::string_view script = R"js(
for (const figure of document.querySelectorAll("figure")) {
  const svg = figure.querySelector("svg"), tools = document.createElement("div");
  tools.className = "tools";
  figure.prepend(tools);
  const add = (text, pressed, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-pressed", pressed);
    button.onclick = () => act(button);
    tools.append(button);
    return button;
  };
  let zoom = 100;
  const resize = (to) => { zoom = Math.min(800, Math.max(100, to)); svg.style.width = zoom + "%"; };
  const large = add("enlarge", false, () => {
    const on = figure.classList.toggle("large");
    large.setAttribute("aria-pressed", on);
    large.textContent = on ? "close" : "enlarge";
    resize(100);
  });
  add("+", false, () => resize(zoom * 1.4));
  add("−", false, () => resize(zoom / 1.4));
  figure.addEventListener("keydown", (e) => { if (e.key === "Escape" && figure.classList.contains("large")) large.click(); });
  const series = new Map();
  (figure.dataset.series || "").split("|").forEach((name, i) => {
    const g = svg.querySelector(`g[id$="gnuplot_plot_${i + 1}"]`);
    if (name && g) series.set(name, [...(series.get(name) || []), g]);
  });
  if (series.size < 2) continue;
  const show = (chosen, pressed) => {
    for (const [key, groups] of series)
      for (const g of groups) g.classList.toggle("away", chosen !== null && key !== chosen);
    for (const b of buttons) b.setAttribute("aria-pressed", b === pressed);
  };
  const buttons = [add("show all", true, (b) => show(null, b))];
  for (const key of series.keys()) buttons.push(add(key, false, (b) => show(key, b)));
}
)js";

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

std::string render(const Table& t, const Anchors& anchors, bool is_folded) {
  const std::string body =
      fmt::format("<div class=\"scroll\" tabindex=\"0\">{}</div>\n<p class=\"caption\">{} {}{}</p>\n", to_html(t),
                  html(t.caption), file_links("tables", t.id, "csv", "md"), source_links(t, anchors));
  if (!is_folded) return fmt::format("<p class=\"title\" id=\"table-{}\">{}</p>\n{}", html(t.id), html(t.title), body);
  return fmt::format("<details id=\"table-{}\"><summary>{} ({})</summary>\n{}</details>\n", html(t.id), html(t.title),
                     counted(t.rows.size(), "row"), body);
}

/// The SVG element without the XML declaration, which HTML does not allow.
std::string_view element(std::string_view svg) { return svg.substr(svg.find("<svg")); }

std::string render(const Figure& f, const std::string& svg, const Anchors& anchors) {
  return fmt::format(
      "<figure id=\"figure-{}\"{} style=\"max-width:{}px\">\n<div class=\"scroll\" tabindex=\"0\">{}</div>"
      "<figcaption><b>{}.</b> {} {}{}</figcaption>\n</figure>\n",
      html(f.id), f.series.empty() ? "" : fmt::format(" data-series=\"{}\"", html(fmt::format("{}", fmt::join(f.series, "|")))),
      f.plot.width(), element(svg), html(f.title), html(f.caption), file_links("figures", f.id, "svg", "pdf"),
      source_links(f, anchors));
}

/// What a reader needs first comes first: findings, texts, figures, notes, and the tables with the numbers, which are folded if
/// a figure shows them. `elsewhere`: the id of a figure that stands at the top of the chapter.
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

/// The figure that stands at the top of a chapter: the first one with stored rows of the section that is to lead, else of any
/// section that is no appendix; null if there is none.
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

/// Calls `visit` with the sections, those of the appendix last.
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

/// The first screen: the question, the answer, and one figure that shows it.
std::string lead(const Chapter& chapter, const Figure* figure, const std::map<std::string, std::string>& svgs,
                 const Anchors& anchors) {
  std::string out;
  if (!chapter.question.empty()) out += fmt::format("<p class=\"question\">{}</p>\n", html(chapter.question));
  if (!chapter.answers.empty()) {
    out += "<ul class=\"answer\">\n";
    for (const std::string& answer : chapter.answers)
      out += fmt::format("<li>{}</li>\n", html(answer));
    out += "</ul>\n";
  }
  if (!out.empty()) out = "<div class=\"lead\">\n" + out + "</div>\n";
  if (figure != nullptr) out += render(*figure, svgs.at(figure->id), anchors);
  return out;
}

std::string render(const Chapter& chapter, const std::map<std::string, std::string>& svgs, const Anchors& anchors) {
  const Figure* figure = leading_figure(chapter);
  std::string out = fmt::format("<h2 id=\"{}\">{}</h2>\n", html(chapter.id), html(chapter.title));
  if (!chapter.subtitle.empty()) out += fmt::format("<p class=\"sub\">{}</p>\n", html(chapter.subtitle));
  out += lead(chapter, figure, svgs, anchors) + contents(chapter);
  each_section(chapter,
               [&](const Section& section) { out += render(section, svgs, anchors, figure == nullptr ? "" : figure->id); });
  return out;
}

}  // namespace

std::string rows_file(const Table& table) { return fmt::format("table-{}.csv", table.id); }

std::string rows_file(const Figure& figure) { return fmt::format("figure-{}.csv", figure.id); }

std::string document(const std::string& title, const std::string& header, const std::string& main, const std::string& footer) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n{2}</header>\n"
      "<main>\n{3}</main>\n<footer>\n{4}</footer>\n<script>{5}</script>\n</body>\n</html>\n",
      html(title), style, header, main, footer, script);
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
    main += render(chapter, svgs, anchors);
  }
  return document(
      title, out, main,
      "<h2 id=\"reading\">How to read this</h2>\n<p class=\"sub\">Every number comes from the stored rows that its "
      "caption names; nothing is measured or extrapolated here. Times and rates are medians over samples. A ratio is "
      "the median of the ratios of the rounds in which both were measured, with a 95 % bootstrap interval in brackets; "
      "† marks a ratio between different rounds of a session, ‡ one between different sessions. Rest the pointer on a "
      "number or a point for its exact value. Under a table or figure are links to its rows, and from there to their "
      "sessions.</p>\n");
}

}  // namespace ladder::reports
