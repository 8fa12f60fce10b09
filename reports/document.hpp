#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/record/profiles.hpp"
#include "harness/record/rows.hpp"
#include "reports/plot.hpp"

/// The content that a section adds to the page: paragraphs, tables and figures. It is plain text, which the page escapes.
namespace ladder::reports {

/// One field of a table: the text shown, and the exact value for CSV files and for hovering.
struct TableCell {
  std::string text;
  std::string exact;     ///< the value in the CSV file; `text` if empty
  std::string hover;     ///< text shown on hover; the exact value if empty
  std::string link;      ///< page that the text leads to; may be empty
  bool flagged = false;  ///< coloured, to warn the reader

  TableCell() = default;
  TableCell(std::string shown) : text(std::move(shown)) {}  // NOLINT(google-explicit-constructor)
  TableCell(const char* shown) : text(shown) {}             // NOLINT(google-explicit-constructor)
  TableCell(std::string shown, double value);
};

/// A cell of a left-aligned column.
struct TextCell : TableCell {
  using TableCell::TableCell;
  TextCell(TableCell cell) : TableCell(std::move(cell)) {}  // NOLINT(google-explicit-constructor)
};

/// Three significant digits; exact on hover.
TableCell number_cell(double value, int digits = 3);

/// The cell of a value, as columns show it.
inline TableCell to_cell(double value) { return number_cell(value); }
inline TableCell to_cell(std::integral auto value) { return std::to_string(value); }
inline TextCell to_cell(std::string text) { return text; }
inline TextCell to_cell(const char* text) { return text; }
inline TextCell to_cell(bool value) { return value ? "yes" : "no"; }
inline TableCell to_cell(TableCell cell) { return cell; }
inline TextCell to_cell(TextCell cell) { return cell; }

/// A pointer or an optional.
template <class Value>
concept Optional = std::is_pointer_v<Value> || requires(const Value& value) {
  value.has_value();
};

/// The cell at the end of a path: each step is a member of what the step before led to, or a function of it. It is a dash if
/// something on the way is null or empty.
template <class Value, class... Steps>
auto follow(const Value& value, const Steps&... steps) {
  if constexpr (sizeof...(steps) == 0) {
    return to_cell(value);
  } else if constexpr (Optional<Value>) {
    return value ? follow(*value, steps...) : decltype(follow(*value, steps...))("—");
  } else {
    return [&](const auto& step, const auto&... more) { return follow(std::invoke(step, value), more...); }(steps...);
  }
}

struct Heading {
  std::string title;      ///< with the unit
  std::string name;       ///< for the CSV header: like_this_us
  bool is_number = true;  ///< right-aligned
};

/// The i-th field of a tuple.
template <std::size_t i>
inline constexpr auto nth = [](const auto& tuple) { return std::get<i>(tuple); };

/// A column of a table that has one row per record.
template <class Record>
struct Column {
  Heading heading;
  std::function<TableCell(const Record&)> cell;

  /// @param path of follow(); a TextCell at its end makes the column one of text
  template <class... Path>
  Column(std::string title, std::string name, Path... path)
      : heading{std::move(title), std::move(name),
                !std::is_same_v<TextCell, decltype(follow(std::declval<const Record&>(), path...))>},
        cell([=](const Record& record) -> TableCell { return follow(record, path...); }) {}
};

struct Table {
  std::string id;  ///< used in the names of its files; unique within a section
  std::string title;
  std::vector<Heading> columns;
  bool is_folded = false;    ///< collapsed on the page because it is long
  std::string caption = {};  ///< names the rows that it was made from
  std::vector<std::vector<TableCell>> rows = {};
  std::vector<const Row*> sources = {};  ///< the stored rows that its values came from
  bool is_by_rung = false;               ///< a line that names a rung uses only that rung's rows and profiles, and ceilings
  std::vector<const Profile*> profiles = {};  ///< the stored profiles that its values came from
  std::string session = {};                   ///< session that the table describes; empty if it describes none

  /// Drops the columns, except for the first, in which no row has text.
  void drop_empty_columns();
};

/// A table with one row per record, without the columns that are empty for all of them.
template <class Records, class Record = std::ranges::range_value_t<Records>>
Table tabulate(std::string id, std::string title, const std::type_identity_t<std::vector<Column<Record>>>& columns,
               const Records& records) {
  Table table{std::move(id), std::move(title), {}};
  for (const Column<Record>& column : columns)
    table.columns.push_back(column.heading);
  for (const Record& record : records) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    for (const Column<Record>& column : columns)
      row.push_back(column.cell(record));
  }
  table.drop_empty_columns();
  return table;
}

struct Figure {
  std::string id;  ///< used in the names of its files; unique within a section
  std::string title;
  std::string caption;  ///< names the rows that it was made from
  Plot plot;
  std::vector<const Row*> sources = {};  ///< the stored rows that its values came from
  /// The series of each element of the plot command; empty for elements that are always shown. If there are several series, the
  /// page lets the reader show a single one.
  std::vector<std::string> series = {};
  std::optional<Plot> narrow = {};  ///< the same for a narrow column, which the page shows where the figure is narrow
  int most_width = 1920;            ///< pixels to which the page enlarges it
  /// The main result that it shows, as its heading; may be empty. The page does not repeat a paragraph of the section that says
  /// the same.
  std::string conclusion = {};
};

struct Paragraph {
  enum class Kind { finding, text, note, warning };
  Kind kind = Kind::text;
  std::string text;
};

using Part = std::variant<Paragraph, Table, Figure>;

struct Section {
  std::string id;
  std::string title;
  std::vector<Part> parts;
  bool is_appendix = false;  ///< follows the other sections of its chapter
  bool leads = false;        ///< its first figure is shown at the top of its chapter
  std::size_t place = 0;     ///< of its [[report]] block in study.toml, from 1; 0 without a block

  /// The main result, as a sentence with values. The page puts findings first.
  void find(std::string text) { parts.emplace_back(Paragraph{Paragraph::Kind::finding, std::move(text)}); }
  void say(std::string text) { parts.emplace_back(Paragraph{Paragraph::Kind::text, std::move(text)}); }
  void note(std::string text) { parts.emplace_back(Paragraph{Paragraph::Kind::note, std::move(text)}); }
  void warn(std::string text) { parts.emplace_back(Paragraph{Paragraph::Kind::warning, std::move(text)}); }

  /// A table or figure, with its caption and the stored rows that it was made from; a table also with the stored profiles.
  template <class TableOrFigure>
  void add(TableOrFigure part, std::string caption, std::vector<const Row*> sources = {},
           std::vector<const Profile*> profiles = {}) {
    part.caption = std::move(caption);
    part.sources = std::move(sources);
    if constexpr (std::is_same_v<TableOrFigure, Table>) part.profiles = std::move(profiles);
    parts.emplace_back(std::move(part));
  }
};

/// Aligned columns for a terminal; the last column is not padded.
std::string to_text(const Table& table);

/// A text as HTML, in which text between backticks is marked as code.
std::string prose(std::string_view text);

std::string to_html(const Table& table);
std::string to_csv(const Table& table);
std::string to_markdown(const Table& table);

}  // namespace ladder::reports
