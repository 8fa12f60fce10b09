#include "variants/d2q37/textbook.hpp"

namespace d2q37 {

void Reference::step() {
  propagate();
  walls();
  if (case_.is_reactive()) burn();
  for_each_cell([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
    const double heat = heat_.empty() ? 0 : heat_[static_cast<std::size_t>(n)];
    collide_textbook(at(n).data(), case_.tau, case_.gravity, heat);
  });
}

void Reference::walls() {
  const int bottom = case_.bottom_row();
  if (bottom < 0) return;
  const int nx = case_.nx, ny = case_.ny;
  // The lattice is periodic: populations that cross the bottom wall reach the rows at the top, and vice versa.
  for (int row = 0; row < Case::wall_rows; ++row) {
    const std::int64_t above = ladder::wrapped(bottom + row, ny), below = ladder::wrapped(bottom - 1 - row, ny);
    for (int x = 0; x < nx; ++x)
      for (int i = 0; i < q; ++i)
        if (d2q37_cy[i] > row)
          std::swap(cell(x, above)[i], cell(ladder::wrapped(x - d2q37_cx[i], nx), below)[d2q37_opposite[i]]);
  }
  for (int row = 0; row < Case::wall_rows; ++row)
    for (int x = 0; x < nx; ++x)
      for (const bool is_top : {false, true}) {
        double* f = cell(x, ladder::wrapped(is_top ? bottom - 1 - row : bottom + row, ny)).data();
        const double density = macroscopic(f).density;
        equilibrium({density, 0, case_.gravity / 2, is_top ? case_.top : case_.bottom}, f);
      }
}

void Reference::burn() {
  const std::int64_t nx = case_.nx, ny = case_.ny;
  const int bottom = case_.bottom_row();
  std::vector<Macroscopic<double>> gas(static_cast<std::size_t>(nx * ny));
  heat_.resize(gas.size());
  for_each_cell([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
    gas[static_cast<std::size_t>(n)] = macroscopic(at(n).data());
  });
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
    const auto at_place = [&](std::int64_t dx, std::int64_t dy) -> const Macroscopic<double>& {
      return gas[static_cast<std::size_t>(ladder::wrapped(y + dy, ny) * nx + ladder::wrapped(x + dx, nx))];
    };
    double& heat = heat_[static_cast<std::size_t>(n)];
    const std::int64_t from_wall = bottom < 0 ? ny : ladder::wrapped(y - bottom, ny);
    if (bottom >= 0 && (from_wall < Case::wall_rows || from_wall >= ny - Case::wall_rows)) {
      heat = 0;  // a wall row has the wall's temperature
      return;
    }
    const double divergence = (at_place(1, 0).u - at_place(-1, 0).u + at_place(0, 1).v - at_place(0, -1).v) / (2 * D2Q37_R);
    heat = case_.heat(at_place(0, 0).temperature, divergence);
  });
}

}  // namespace d2q37
