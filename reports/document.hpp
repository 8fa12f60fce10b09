#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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

struct Column {
  std::string title;      ///< with the unit
  std::string name;       ///< for the CSV header: like_this_us
  bool is_number = true;  ///< right-aligned
};

struct Table {
  std::string id;  ///< used in the names of its files; unique within a section
  std::string title;
  std::vector<Column> columns;
  bool is_folded = false;    ///< collapsed on the page because it is long
  std::string caption = {};  ///< names the rows that it was made from
  std::vector<std::vector<TableCell>> rows = {};
  std::vector<const Row*> sources = {};  ///< the stored rows that its values came from
  std::string session = {};              ///< session that the table describes; empty if it describes none

  void drop_column(std::size_t column);
};

struct Figure {
  std::string id;  ///< used in the names of its files; unique within a section
  std::string title;
  std::string caption;  ///< names the rows that it was made from
  Plot plot;
  std::vector<const Row*> sources = {};  ///< the stored rows that its values came from
  /// The series of each element of the plot command; empty for elements that are always shown. If there are several series, the
  /// page lets the reader show a single one.
  std::vector<std::string> series = {};
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

  /// A table or figure, with its caption and the stored rows that it was made from.
  template <class TableOrFigure>
  void add(TableOrFigure part, std::string caption, std::vector<const Row*> sources = {}) {
    part.caption = std::move(caption);
    part.sources = std::move(sources);
    parts.emplace_back(std::move(part));
  }
};

/// A text as HTML, in which text between backticks is marked as code.
std::string prose(std::string_view text);

/// A table as a page shows it, without columns that have no value.
std::string to_html(const Table& table);
std::string to_csv(const Table& table);
std::string to_markdown(const Table& table);

}  // namespace ladder::reports
