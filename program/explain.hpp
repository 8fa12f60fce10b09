#pragma once

#include <string>
#include <vector>

#include "program/commands.hpp"

namespace ladder {

struct ExplainOptions {
  std::string rung;                  ///< id or glob
  std::string machine;               ///< machine whose results to show; empty: this one
  std::vector<std::string> studies;  ///< further studies, as for `ladder run`
  bool color = true;                 ///< use colours on a terminal
  bool json = false;
  std::string sass;  ///< GPU instructions: `opcodes` or `full`; empty: not shown
};

/// `ladder explain`: for each matching rung, describes it, its bound, its difference from its parent, and its gain here and in
/// the publication.
int explain(const Context& context, const ExplainOptions& options);

}  // namespace ladder
