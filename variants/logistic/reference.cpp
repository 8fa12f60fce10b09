#include "variants/logistic/model.hpp"

namespace logistic {

void Reference::step() {
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
    const auto [a, b] = case_.words(x, y);
    double& number = at(n)[0];
    number = logistic_map(a != b ? LOGISTIC_DIFFERENT : LOGISTIC_EQUAL, number);
  });
}

}  // namespace logistic
