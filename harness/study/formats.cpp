#include "harness/study/formats.hpp"

#include <algorithm>

namespace ladder {

const std::vector<ContenderFormat>& contender_formats() {
  static const std::vector<ContenderFormat> all = {
#include "formats.inc"
  };
  return all;
}

const ContenderFormat& contender_format(std::string_view name) {
  static const ContenderFormat none;
  const auto found = std::ranges::find(contender_formats(), name, &ContenderFormat::name);
  return found == contender_formats().end() ? none : *found;
}

}  // namespace ladder
