#pragma once

#include <string>

#include "program/commands.hpp"

namespace ladder {

struct ExplainOptions {
  std::string rung;
  std::string machine;  ///< whose results; empty: this one's
  bool color = true;    ///< on a terminal
  bool json = false;
};

/// `ladder explain`: describes a rung, its bound, its difference from its parent, and its gain here and in the publication.
int explain(const Context& context, const ExplainOptions& options);

}  // namespace ladder
