#include "variants/d3q27/textbook.hpp"

namespace d3q27 {

void Reference::collide() {
  for_each_cell(
      [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) { collide_textbook(at(n).data(), case_.omega()); });
}

void Reference::advance(std::int64_t steps) {
  for (std::int64_t step = 0; step < steps; ++step) {
    propagate();
    collide();
  }
}

}  // namespace d3q27
