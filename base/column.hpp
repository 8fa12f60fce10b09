#pragma once

#include <string_view>
#include <vector>

/// Kinds of columns of stored tables. A type with columns names each once, beside its member:
///
///     visit(Quantity{"joules", "J", "energy of the sample"}, row.joules);
///
/// CSV, JSON, checks and documentation follow from that (harness/record/columns.hpp, harness/record/answers.hpp).
namespace ladder::column {

/// Whose value it is: the harness's own, or one that an executable answers: of a check, of any sample, of a ceiling's sample,
/// of checks and samples.
enum class Source { harness, check, sample, ceiling, any };

struct Text {
  std::string_view name, form, meaning;
  std::vector<std::string_view> accepted = {};  ///< any text if empty
  Source source = Source::harness;
};

/// Meaning of 0 in a column of integers.
enum class Zero { counts, is_unknown, is_refused };

struct Count {
  std::string_view name, unit, meaning;
  Zero zero = Zero::is_unknown;
  Source source = Source::harness;
};

/// A number from 0; NaN if it is unknown.
struct Quantity {
  std::string_view name, unit, meaning;
  bool is_bounded = true;  ///< refuses unrealistic magnitudes, so that ratios of two columns are finite
  Source source = Source::harness;
};

/// A number that follows from other columns: written for readers of the file, not read.
struct Derived {
  std::string_view name, unit, meaning;
};

/// A number that an executable answers and no file stores.
struct Unstored {
  std::string_view name;
  Source source = Source::harness;
};

template <class Column>
Column from(Source source, Column column) {
  column.source = source;
  return column;
}

}  // namespace ladder::column
