#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/report.hpp"

/// Findings and tables in Markdown files, generated from stored rows. A block begins with one of these lines and ends with
/// `<!-- end -->`:
///   <!-- findings: STUDY -->         all findings of a study that hold on their source machines, as a list
///   <!-- findings: STUDY NAME -->    one of them, as a paragraph
///   <!-- table: STUDY ID -->         a table of its report on that machine
///   <!-- studies -->                 all studies: question, and the machines whose results are stored
namespace ladder::reports {

/// `text` of the Markdown file `file` with its blocks generated again. Findings with results that `is_older` accepts
/// are marked as older than the current code.
/// @throws InputError with file and line for an unknown study, finding or table, or a block without an end
std::string with_blocks(const std::filesystem::path& file, const std::string& text, const std::filesystem::path& experiments,
                        const IsOlder& is_older = {});

/// `text` without these marks.
std::string without_marks(std::string text);

/// README.md and docs/*.md below `root`, sorted.
std::vector<std::filesystem::path> markdown_files(const std::filesystem::path& root);

/// Rewrites these files. Returns the files that changed. @throws InputError as with_blocks() does
std::vector<std::filesystem::path> update_docs(const std::filesystem::path& root, const std::filesystem::path& experiments,
                                               const IsOlder& is_older = {});

}  // namespace ladder::reports
