#include "reports/section_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/format.hpp"

namespace ladder::reports {
namespace {

constexpr std::size_t open_paragraphs = 3;  ///< per kind and section; if there are more, all but two are folded
constexpr std::size_t long_text = 360;      ///< characters; longer remarks and notes are folded after their first sentence
constexpr std::size_t open_tables = 2;      ///< collapsed tables per section; if there are more, they share one fold
constexpr std::size_t open_rows = 12;       ///< total of the tables in a section that are not collapsed
constexpr int small_figures = 420;          ///< greatest total height, in pixels, at which a section shows all figures

std::string file_links(const std::string& folder, const std::string& id, const char* first, const char* second) {
  return fmt::format("<a href=\"{0}/{1}.{2}\">{2}</a> <a href=\"{0}/{1}.{3}\">{3}</a>", folder, html(id), first, second);
}

std::string fold(const std::string& summary, const std::string& content, const std::string& id = "") {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", id.empty() ? "" : fmt::format(" id=\"{}\"", html(id)),
                     prose(summary), content);
}

/// A list of values that a section appends to its text: a folded paragraph whose first sentence stays visible.
std::string render_folded(const Paragraph& p) {
  const std::size_t end = std::min(p.text.find(". "), p.text.find(": "));
  if (end == std::string::npos) return render(p);
  return fold(p.text.substr(0, end) + ".", render(Paragraph{p.kind, p.text.substr(end + 2)}));
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
                  prose(t.caption), file_links("tables", t.id, "csv", "md"), source_links(t, anchors));
  if (!is_folded) return fmt::format("<p class=\"title\" id=\"table-{}\">{}</p>\n{}", html(t.id), prose(t.title), body);
  return fold(fmt::format("{} ({})", t.title, counted(t.rows.size(), "row")), body, "table-" + t.id);
}

/// The SVG element without the XML declaration, which is not allowed inside HTML.
std::string_view element(std::string_view svg) { return svg.substr(svg.find("<svg")); }

/// Position of the first of `marks` that a space follows, outside parentheses; npos without one.
std::size_t end_of_part(std::string_view title, std::string_view marks) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < title.size(); ++i) {
    depth += title[i] == '(' ? 1 : title[i] == ')' ? -1 : 0;
    if (depth == 0 && title[i + 1] == ' ' && marks.find(title[i]) != std::string_view::npos) return i;
  }
  return std::string_view::npos;
}

/// A title such as "Time per step: box-8, f32, cpu" or "Step by step, box-8, f32".
struct Title {
  std::string_view name, what, rest;  ///< `Time per step`, `box-8`, `, f32, cpu`

  explicit Title(std::string_view title) : name(title.substr(0, end_of_part(title, ":,"))) {
    title.remove_prefix(std::min(name.size() + 2, title.size()));
    what = title.substr(0, end_of_part(title, ","));
    rest = title.substr(what.size());
  }
};

/// The heading of a fold with several charts or tables: "5 more cases: box-256; …" if `titles` differ from `first` and from
/// each other only in the case, else "5 more charts: …" with whole titles.
std::string more(const char* kind, const std::string& first, const std::vector<std::string>& titles) {
  const Title model(first.empty() ? titles.front() : first);
  bool are_cases = true, have_same_rest = true;
  for (const std::string& title : titles) {
    are_cases = are_cases && !Title(title).what.empty() && Title(title).name == model.name;
    have_same_rest = have_same_rest && Title(title).rest == model.rest;
  }
  std::vector<std::string> names;
  for (const std::string& title : titles) {
    const Title parts(title);
    names.push_back(!are_cases ? title : std::string(parts.what) + (have_same_rest ? "" : std::string(parts.rest)));
  }
  const std::string what = are_cases && !first.empty() ? "case" : kind;
  return fmt::format("{}{}: {}", counted(titles.size(), first.empty() ? what : "more " + what),
                     are_cases && first.empty() ? fmt::format(", {}", model.name) : "", fmt::join(names, "; "));
}

/// The paragraphs of one kind, without those already in `headings`; if there are many, all but the first two are folded.
std::string paragraphs(const Section& section, Paragraph::Kind kind, const char* name, const std::set<std::string>& headings) {
  const bool may_fold = kind == Paragraph::Kind::text || kind == Paragraph::Kind::note;
  std::vector<std::string> all;
  for (const Part& part : section.parts) {
    const auto* paragraph = std::get_if<Paragraph>(&part);
    if (paragraph == nullptr || paragraph->kind != kind || headings.contains(paragraph->text)) continue;
    const bool is_own = kind == Paragraph::Kind::text && paragraph == std::get_if<Paragraph>(&section.parts.front());
    all.push_back(may_fold && !is_own && paragraph->text.size() > long_text ? render_folded(*paragraph) : render(*paragraph));
  }
  std::string shown, folded;
  const std::size_t open = all.size() > open_paragraphs ? 2 : all.size();
  for (std::size_t i = 0; i < all.size(); ++i)
    (i < open ? shown : folded) += all[i];
  return shown + (folded.empty() ? "" : fold(counted(all.size() - open, fmt::format("more {}", name)), folded));
}

/// The open and the folded parts of a section.
struct Parts {
  std::string open, folded;
  std::set<std::string> headings;  ///< of the open ones
};

/// The figures of a section: the first one, and the others in a fold unless they are small.
Parts figures(const Section& section, const Drawn& drawn) {
  std::vector<const Figure*> all;
  std::string first;
  int height = 0;
  for (const Part& part : section.parts) {
    const auto* figure = std::get_if<Figure>(&part);
    if (figure == nullptr) continue;
    if (first.empty() || figure->id == drawn.elsewhere) first = figure->title;
    if (figure->id == drawn.elsewhere) continue;
    all.push_back(figure);
    height += figure->plot.height();
  }
  const bool leads = !drawn.elsewhere.empty() && has_figure(section, drawn.elsewhere);
  std::size_t open = height <= small_figures ? all.size() : std::min<std::size_t>(all.size(), 1);
  if (leads || !drawn.is_open) open = 0;
  Parts parts;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < all.size(); ++i) {
    (i < open ? parts.open : parts.folded) += render(*all[i], drawn);
    if (i >= open)
      titles.push_back(all[i]->title);
    else
      parts.headings.insert(all[i]->conclusion);
  }
  if (!titles.empty()) parts.folded = fold(more("chart", leads || open > 0 ? first : "", titles), parts.folded);
  if (leads)
    parts.folded = fmt::format("<p class=\"note\"><a href=\"#figure-{}\">{}</a> is at the top.</p>\n", html(drawn.elsewhere),
                               prose(first)) +
                   parts.folded;
  return parts;
}

/// The tables of a section, collapsed in the appendix or if a figure shows the same values; if there are many, they share a
/// fold.
std::string tables(const Section& section, const Drawn& drawn) {
  std::string shown, folded;
  std::vector<std::string> titles;
  std::size_t rows = 0;
  for (const Part& part : section.parts) {
    const auto* table = std::get_if<Table>(&part);
    if (table == nullptr) continue;
    bool is_folded = table->is_folded || has_figure(section, "") || section.is_appendix || !drawn.is_open;
    if (!is_folded) is_folded = (rows += table->rows.size()) > open_rows;
    (is_folded ? folded : shown) += render(*table, drawn.anchors, is_folded);
    if (is_folded) titles.push_back(table->title);
  }
  if (titles.size() > open_tables) folded = fold(more("table", "", titles), folded);
  return shown + folded;
}

}  // namespace

std::string prose(std::string_view text) {
  std::string out;
  bool is_code = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('`'), text.size());
    out += html(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (!is_code && text.find('`') == std::string_view::npos) {
      out += '`';
      continue;
    }
    is_code = !is_code;
    out += is_code ? "<code>" : "</code>";
  }
  return out;
}

std::string rows_file(const Table& table) { return fmt::format("table-{}.csv", table.id); }

std::string rows_file(const Figure& figure) { return fmt::format("figure-{}.csv", figure.id); }

std::string headline(const char* tag, const std::string& attributes, const std::string& text) {
  static const std::regex in_brackets(R"( \((?!processes=|devices=)[a-z_]+=[^\s,()]+\))");
  static const std::regex in_a_list(R"(, (?!processes=|devices=)[a-z_]+=[-\w.;=]*[-\w])");
  const std::string shown = std::regex_replace(std::regex_replace(text, in_brackets, ""), in_a_list, "");
  return fmt::format("<{}{}{}>{}</{}>\n", tag, attributes, shown == text ? "" : fmt::format(" title=\"{}\"", html(text)),
                     prose(shown), tag);
}

std::string render(const Paragraph& p) {
  if (p.kind == Paragraph::Kind::finding) return headline("p", " class=\"finding\"", p.text);
  const char* kind = p.kind == Paragraph::Kind::note      ? " class=\"note\""
                     : p.kind == Paragraph::Kind::warning ? " class=\"warning\""
                                                          : "";
  return fmt::format("<p{}>{}</p>\n", kind, prose(p.text));
}

std::string render(const Figure& f, const Drawn& drawn) {
  return fmt::format(
      "<figure id=\"figure-{}\"{} style=\"max-width:{}px\">\n{}<div class=\"scroll\" tabindex=\"0\">{}</div>"
      "<figcaption><b>{}.</b> {} {}{}</figcaption>\n</figure>\n",
      html(f.id), f.series.empty() ? "" : fmt::format(" data-series=\"{}\"", html(fmt::format("{}", fmt::join(f.series, "|")))),
      f.most_width, f.conclusion.empty() ? "" : headline("p", " class=\"conclusion\"", f.conclusion),
      element(drawn.svgs.at(f.id)), prose(f.title), prose(f.caption), file_links("figures", f.id, "svg", "pdf"),
      source_links(f, drawn.anchors));
}

bool has_figure(const Section& section, const std::string& id) {
  return std::ranges::any_of(section.parts, [&](const Part& part) {
    const auto* figure = std::get_if<Figure>(&part);
    return figure != nullptr && (id.empty() || figure->id == id);
  });
}

bool has_open_table(const Section& section) {
  return !section.is_appendix && std::ranges::any_of(section.parts, [](const Part& part) {
    const auto* table = std::get_if<Table>(&part);
    return table != nullptr && !table->is_folded && table->rows.size() <= open_rows;
  });
}

std::string render(const Section& section, const Drawn& drawn) {
  const Parts drawings = figures(section, drawn);
  std::string text;
  for (const auto& [kind, name] :
       {std::pair(Paragraph::Kind::warning, "warning"), std::pair(Paragraph::Kind::finding, "finding"),
        std::pair(Paragraph::Kind::text, "remark"), std::pair(Paragraph::Kind::note, "note")})
    text += paragraphs(section, kind, name, drawings.headings);
  const std::string content =
      drawings.open.empty() || text.empty()
          ? text + drawings.open
          : fmt::format("<div class=\"beside\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>\n", text, drawings.open);
  return content + drawings.folded + tables(section, drawn);
}

}  // namespace ladder::reports
