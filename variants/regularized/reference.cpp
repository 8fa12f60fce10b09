#include "variants/regularized/textbook.hpp"

namespace regularized {

void Reference::step() {
  propagate();
  for_each_cell(
      [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) { collide_textbook(at(n).data(), case_.omega()); });
}

}  // namespace regularized
