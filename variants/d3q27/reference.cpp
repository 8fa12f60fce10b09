#include "variants/d3q27/textbook.hpp"

namespace d3q27 {

void Reference::step() {
  propagate();
  for_each_cell(
      [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) { collide_textbook(at(n).data(), case_.omega()); });
}

}  // namespace d3q27
