#include "variants/d2q9r/textbook.hpp"
#include "variants/lattice/distances.hpp"

namespace d2q9r {

void Reference::step() {
  propagate();
  for_each_cell([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
    lattice::in_distances<Lattice>(at(n), 1, [&](double* g, double rest) { collide_textbook(g, case_.omega(), rest); });
  });
}

}  // namespace d2q9r
