#include "variants/d3q27/textbook.hpp"
#include "variants/lattice/distances.hpp"

namespace d3q27 {

void Reference::step() {
  propagate();
  for_each_cell([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
    lattice::in_distances<Lattice>(at(n), 1, [&](double* g, double rest) { collide_textbook(g, case_.omega(), rest); });
  });
}

}  // namespace d3q27
