#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// A format of a contender's input and result files, as formats/CMakeLists.txt declares it.
struct ContenderFormat {
  std::string name;
  std::string model;                      ///< its programs compute cases of this model
  int least_side = 0;                     ///< smallest side, in cells, of a case whose results can be compared
  std::vector<std::string> placeholders;  ///< of the input files, which a command must contain
  std::vector<std::string> inputs;        ///< names of the input files
  std::vector<std::string> results;       ///< usual names of the result files
};

/// The formats of this build; the first is the default.
const std::vector<ContenderFormat>& contender_formats();

/// The format of this name; an empty one for `none`.
const ContenderFormat& contender_format(std::string_view name);

}  // namespace ladder
