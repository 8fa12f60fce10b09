#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

/// One value of a publication.
struct PaperValue {
  std::string item;       ///< table, figure or paragraph
  std::string label;      ///< row of the table, or subject of the value
  std::string case_name;  ///< empty if it does not belong to a case
  std::string quantity;
  double value = 0;
  std::string unit;
  std::string where;  ///< section
};

/// The values of a publication, read from a study's paper.csv.
class Paper {
 public:
  Paper() = default;
  /// @throws InputError  a malformed value, or two rows with the same item, label, case and quantity
  explicit Paper(const std::filesystem::path& path);
  /// The same for text that was read from `path`.
  Paper(const std::filesystem::path& path, std::string_view text);

  /// The first value with this label, case and quantity; null if there is none.
  [[nodiscard]] const PaperValue* find(const std::string& label, const std::string& case_name,
                                       const std::string& quantity) const;

  /// Like find(), but returns only the value; NaN if there is none.
  [[nodiscard]] double value(const std::string& label, const std::string& case_name, const std::string& quantity) const;

  /// The value for the case; if there is none, the value that belongs to no case.
  [[nodiscard]] const PaperValue* find_or_general(const std::string& label, const std::string& case_name,
                                                  const std::string& quantity) const;
  [[nodiscard]] double value_or_general(const std::string& label, const std::string& case_name,
                                        const std::string& quantity) const;

  [[nodiscard]] const std::vector<PaperValue>& values() const { return values_; }
  [[nodiscard]] bool has_label(const std::string& label) const;
  [[nodiscard]] std::vector<std::string> labels() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::vector<PaperValue> values_;
};

}  // namespace ladder::reports
