#include "variants/lattice/distances.hpp"
#include "variants/regularized/obstacles.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

/// The population that comes back, in the direction opposite to i, from a boundary cell of this kind to a cell with
/// post-collision populations f. Sources: return_from() in returned.hpp.
double returned(std::span<const double, q> f, int i, int kind, double speed) {
  const double left = f[static_cast<std::size_t>(i)], weight = Lattice::weight(i);
  const lattice::Velocity c = Lattice::c(i);
  if (kind == Kind::velocity) return left - 6 * weight * c.x * speed;
  if (kind != Kind::pressure) return left;
  const Macroscopic m = moments(f.data());
  const double cu = c.x * m.ux + c.y * m.uy + c.z * m.uz, u_sq = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
  return 2 * weight * (1 + 4.5 * cu * cu - 1.5 * u_sq) - left;
}

}  // namespace

void Reference::step() {
  // A population that leaves a fluid cell toward a boundary cell comes back from there. No two cells write the same element.
  if (!case_.solid.empty())
    for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      if (case_.is_solid(x, y, z)) return;
      for (int i = 1; i < q; ++i) {
        const lattice::Velocity c = Lattice::c(i);
        if (const int kind = kind_of(case_, x + c.x, y + c.y, z + c.z); kind != 0)
          cell(ladder::wrapped(x + c.x, case_.nx), ladder::wrapped(y + c.y, case_.ny),
               ladder::wrapped(z + c.z, case_.nz))[static_cast<std::size_t>(index_of(-c))] =
              returned(at(n), i, kind, case_.speed);
      }
    });
  propagate();
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (case_.is_solid(x, y, z))
      for (int i = 0; i < q; ++i)
        at(n)[static_cast<std::size_t>(i)] = Lattice::weight(i);
    else
      lattice::in_distances<Lattice>(at(n), 1, [&](double* g, double rest) { collide_textbook(g, case_.omega(), rest); });
  });
}

}  // namespace regularized
