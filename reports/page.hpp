#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/document.hpp"
#include "reports/findings.hpp"

namespace ladder::reports {

/// The sections of one study on one machine, or across its machines. The page shows the chapters of a study as one list of
/// sections, of which the reader sees those of one machine and those across machines.
struct Chapter {
  std::string id;
  std::string study;    ///< name of its folder
  std::string machine;  ///< display name; empty for sections that compare machines
  std::string title;    ///< of the study
  std::string subtitle;
  std::vector<Section> sections = {};
  std::string question = {};                   ///< that the study asks; may be empty
  std::vector<Finding> findings = {};          ///< those of the study, on this machine
  std::vector<std::string> answers = {};       ///< to the question, as sentences with values, in addition to the findings
  std::vector<const Row*> answer_rows = {};    ///< the rows of the fastest rung that the answers name
  std::string disturbance = {};                ///< a warning, if the measurements are noisy
  std::vector<const RowFile*> files = {};      ///< files with the rows that its tables and figures were made from
  std::vector<const RowFile*> all_files = {};  ///< of all machines of the study, for the rows of its findings
};

/// File name, within rows/, of the stored rows that a chapter's i-th finding was computed from.
std::string rows_file(const Chapter& chapter, std::size_t i);

/// Whether a section has nothing to show: notes and texts alone.
bool is_empty(const Section& section);

/// The figure that illustrates a chapter's first finding or answer: the one that was made from most of its rows or, if none was
/// made from any, the first one with stored rows in the section that leads, else in any section outside the appendix. Null if
/// there is none.
const Figure* leading_figure(const Chapter& chapter);

/// The rows of a chapter's first finding or answer: samples of rungs or, if there are none, of ceilings.
std::vector<const Row*> first_rows(const Chapter& chapter);

/// An HTML page with the reports' style and script. `header`, `main` and `footer` are HTML; the title is plain text. `style` is
/// appended to the style sheet.
std::string document(const std::string& title, const std::string& header, const std::string& main, const std::string& footer,
                     const std::string& style = "");

/// The whole report as one self-contained HTML page, which needs neither other files nor a network. It follows the reader's
/// preference for light or dark. `svgs` maps figure ids to drawn figures.
std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::map<std::string, std::string>& svgs,
                 const std::vector<std::string>& warnings);

}  // namespace ladder::reports
