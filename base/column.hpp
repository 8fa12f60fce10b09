#pragma once

#include <string_view>
#include <vector>

/// Kinds of columns of stored tables. A type with columns lists each of them once, with its member:
///
///     visit(Quantity{"joules", "J", "energy of the sample"}, row.joules);
///
/// CSV, JSON, checks and documentation are derived from this list (harness/record/columns.hpp, harness/record/answers.hpp).
namespace ladder::column {

/// Who supplies the value: the harness, or an executable in its answer about a check, any sample, a ceiling's sample, or both
/// checks and samples.
enum class Source { harness, check, sample, ceiling, any };

struct Text {
  std::string_view name, form, meaning;
  std::vector<std::string_view> accepted = {};  ///< empty: any text
  Source source = Source::harness;
};

/// What 0 means in an integer column.
enum class Zero { counts, is_unknown, is_refused };

struct Count {
  std::string_view name, unit, meaning;
  Zero zero = Zero::is_unknown;
  Source source = Source::harness;
};

/// A non-negative number; NaN if unknown.
struct Quantity {
  std::string_view name, unit, meaning;
  bool is_bounded = true;  ///< rejects unrealistic magnitudes, so that ratios of two columns are finite
  Source source = Source::harness;
};

/// A number computed from other columns. It is written for readers of the file and ignored when the file is read.
struct Derived {
  std::string_view name, unit, meaning;
};

/// A number that executables report but no file stores.
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
