#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

/// One number of a publication.
struct PaperValue {
  std::string item;       ///< table, figure or paragraph
  std::string label;      ///< row of the table, or subject of the number
  std::string case_name;  ///< empty if it does not belong to a case
  std::string quantity;
  double value = 0;
  std::string unit;
  std::string where;  ///< section
};

/// The numbers of a publication, from a study's paper.csv.
class Paper {
 public:
  Paper() = default;
  /// @throws InputError  a bad number, or two rows of the same item, label, case and quantity
  explicit Paper(const std::filesystem::path& path);
  /// The same for a text that came from `path`.
  Paper(const std::filesystem::path& path, std::string_view text);

  /// The first number with this label, case and quantity; nullptr if there is none.
  [[nodiscard]] const PaperValue* find(const std::string& label, const std::string& case_name,
                                       const std::string& quantity) const;

  /// As find(), but the number alone; NaN if there is none.
  [[nodiscard]] double value(const std::string& label, const std::string& case_name, const std::string& quantity) const;

  [[nodiscard]] const std::vector<PaperValue>& values() const { return values_; }
  [[nodiscard]] bool has_label(const std::string& label) const;
  [[nodiscard]] std::vector<std::string> labels() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::vector<PaperValue> values_;
};

}  // namespace ladder::reports
