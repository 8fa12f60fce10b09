#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/document.hpp"

namespace ladder::reports {

/// The sections of one study on one machine, or across its machines.
struct Chapter {
  std::string id;
  std::string title;
  std::string subtitle;
  std::vector<Section> sections;
  std::string question = {};               ///< that the study asks; may be empty
  std::vector<std::string> answers = {};   ///< to it, in sentences with numbers
  std::vector<const RowFile*> files = {};  ///< files with the rows of its tables and figures
};

/// Name, within rows/, of the file with the stored rows that a table or figure came from.
std::string rows_file(const Table& table);
std::string rows_file(const Figure& figure);

/// An HTML page with the style and the script of reports; `header`, `main` and `footer` are HTML, the title is text.
std::string document(const std::string& title, const std::string& header, const std::string& main, const std::string& footer);

/// The whole report as one HTML page that needs no other file and no network: it contains style and figures, and follows the
/// reader's preference for light or dark. `svgs` holds the drawn figures by id.
std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::map<std::string, std::string>& svgs,
                 const std::vector<std::string>& warnings);

}  // namespace ladder::reports
