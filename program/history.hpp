#pragma once

#include <filesystem>
#include <string>

#include "program/commands.hpp"

namespace ladder {

struct HistoryOptions {
  std::string rung;  ///< `RUNG` or `RUNG:name=value,…`
  std::string case_name;
  std::string precision;        ///< empty: f32 if it is stored
  std::string placement;        ///< empty: the default placement
  std::string machine;          ///< empty: this machine
  std::filesystem::path chart;  ///< SVG file to write; empty: none
  bool csv = false;
  bool json = false;
};

/// `ladder history`: the stored speeds of a rung on one case, by session and commit, in all studies, with the ratio to the
/// previous session on the same device. @throws InputError if no samples are stored, naming what is stored
int history(const Context& context, const HistoryOptions& options);

}  // namespace ladder
