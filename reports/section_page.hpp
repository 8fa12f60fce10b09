#pragma once

#include <map>
#include <string>

#include "reports/document.hpp"

/// A section's content as HTML.
namespace ladder::reports {

/// Anchors of the session descriptions, by session.
using Anchors = std::map<std::string, std::string>;

/// Context for rendering the parts of a chapter.
struct Drawn {
  const std::map<std::string, std::string>& svgs;  ///< by id of the figure
  Anchors anchors;
  std::string elsewhere;  ///< id of the figure shown at the top of the page instead of in its section
  bool is_open = true;    ///< false for sections whose figures and tables are all folded
};

/// File name, within rows/, of the stored rows that a table or figure was computed from.
std::string rows_file(const Table& table);
std::string rows_file(const Figure& figure);

/// A headline without the distracting values of tunables (`ahead=2`), which its hover text shows.
std::string headline(const char* tag, const std::string& attributes, const std::string& text);

std::string render(const Paragraph& paragraph);
std::string render(const Figure& figure, const Drawn& drawn);

/// Shows the essentials first: findings, text and notes next to the figures, then tables.
std::string render(const Section& section, const Drawn& drawn);

/// Whether a section has this figure, or any figure if the id is empty.
bool has_figure(const Section& section, const std::string& id);

/// Whether a section without figures has a table short enough to be shown.
bool has_open_table(const Section& section);

}  // namespace ladder::reports
