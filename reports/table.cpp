#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "base/format.hpp"
#include "base/text.hpp"
#include "harness/record/csv.hpp"
#include "reports/document.hpp"

namespace ladder::reports {

TableCell::TableCell(std::string shown, double value) : text(std::move(shown)), exact(ladder::exact(value)) {}

TableCell number_cell(double value, int digits) { return {significant(value, digits), value}; }

namespace {

constexpr std::size_t longest_line = 44;  ///< in characters; longer text may wrap

/// The text of a field in a table of many columns, which may break after the separators of ids and tunings.
std::string narrow(const std::string& text) {
  static const std::regex separator("([0-9];)([a-z])");
  const std::string out = replace_all(replace_all(prose(text), "/", "/<wbr>"), "</<wbr>", "</");
  return text.find(';') == std::string::npos ? out : std::regex_replace(out, separator, "$1<wbr>$2");
}

std::string classes(const TableCell& cell, const Heading& column) {
  std::string names;
  if (column.is_number) names += " n";
  if (cell.flagged) names += " flag";
  if (characters(cell.text) > longest_line) names += " long";
  return names.empty() ? "" : fmt::format(" class=\"{}\"", names.substr(1));
}

}  // namespace

void Table::drop_empty_columns() {
  const auto is_empty = [](const TableCell& cell) { return cell.text.empty() || cell.text == "—"; };
  for (auto i = std::ssize(columns) - 1; i > 0 && !rows.empty(); --i) {
    if (!std::ranges::all_of(rows, [&](const auto& row) { return is_empty(row[static_cast<std::size_t>(i)]); })) continue;
    columns.erase(columns.begin() + i);
    for (std::vector<TableCell>& row : rows)
      row.erase(row.begin() + i);
  }
}

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths(table.columns.size());
  std::string out;
  const auto visit = [&](auto visitor) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      visitor(i, table.columns[i].title);
    for (const std::vector<TableCell>& row : table.rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        visitor(i, one_line(row[i].text));
  };
  visit([&](std::size_t i, const std::string& text) { widths[i] = std::max(widths[i], characters(text)); });
  visit([&](std::size_t i, const std::string& text) {
    const std::string blanks(widths[i] - characters(text), ' ');
    const bool is_last = i + 1 == table.columns.size();
    out += table.columns[i].is_number ? blanks + text : text + (is_last ? "" : blanks);
    out += is_last ? "\n" : "  ";
  });
  return out;
}

std::string to_html(const Table& table) {
  constexpr std::size_t many = 9;  // columns; the table gets a smaller font
  const bool is_wide = table.columns.size() > many;
  const auto field = [&](const std::string& text) { return is_wide ? narrow(text) : prose(text); };
  std::string out = is_wide ? "<table class=\"many\">" : "<table>";
  out += "\n<thead><tr>";
  for (const Heading& column : table.columns)
    out += fmt::format("<th{}>{}</th>", column.is_number ? " class=\"n\"" : "", prose(column.title));
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<TableCell>& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string& hover = row[i].hover.empty() ? row[i].exact : row[i].hover;
      out += fmt::format("<td{}{}>{}</td>", classes(row[i], table.columns[i]),
                         hover.empty() ? "" : fmt::format(" title=\"{}\"", html(hover)),
                         row[i].link.empty() ? field(row[i].text)
                                             : fmt::format("<a href=\"{}\">{}</a>", html(row[i].link), field(row[i].text)));
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += (i == 0 ? "" : ",") + csv_text(table.columns[i].name);
  out += '\n';
  for (const std::vector<TableCell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_blank_number = table.columns[i].is_number && row[i].exact.empty() && row[i].text == "—";
      if (i > 0) out += ',';
      if (!is_blank_number) out += csv_text(row[i].exact.empty() ? row[i].text : row[i].exact);
    }
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out = fmt::format("**{}**\n\n|", markdown(table.title));
  for (const Heading& column : table.columns)
    out += fmt::format(" {} |", markdown(column.title));
  out += "\n|";
  for (const Heading& column : table.columns)
    out += column.is_number ? "---:|" : "---|";
  out += '\n';
  for (const std::vector<TableCell>& row : table.rows) {
    out += '|';
    for (const TableCell& cell : row)
      out += fmt::format(" {} |", markdown(cell.text + (cell.flagged ? " (!)" : "")));
    out += '\n';
  }
  return out + fmt::format("\n{}\n", markdown(table.caption));
}

}  // namespace ladder::reports
