#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/record/rows.hpp"

namespace ladder {

/// How long checks and samples took in stored sessions, including the start of their processes: the time until the next row of
/// the same session began.
class StoredSeconds {
 public:
  /// Ignores times longer than `longest`, which include an interruption.
  StoredSeconds(const std::vector<Row>& rows, double longest);

  /// Mean over rows of this kind with the cell's rung, case and precision or, if there are none, over all rows of this kind;
  /// `guess` if there are none either.
  [[nodiscard]] double of(const std::string& kind, const Row& cell, double guess) const;
  /// Number of rows with a known time.
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  struct Mean {
    double seconds = 0;
    double count = 0;
  };
  using Place = std::tuple<std::string, std::string, std::string, std::string>;  // kind, rung, case and precision

  std::map<Place, Mean> means_;
  std::size_t rows_ = 0;
};

}  // namespace ladder
