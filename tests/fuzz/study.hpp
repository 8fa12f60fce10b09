#pragma once

#include <utility>
#include <vector>

#include "reports/study.hpp"

namespace ladder::fuzz {

/// A study with these blocks and without machines.
inline reports::Study study_of(reports::Paper paper, std::vector<ladder::Parameters> blocks) {
  reports::Study study;
  study.name = "study";
  study.title = "title";
  study.paper = std::move(paper);
  study.blocks = std::move(blocks);
  return study;
}

}  // namespace ladder::fuzz
