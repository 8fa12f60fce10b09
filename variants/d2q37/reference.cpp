#include "variants/d2q37/half_way.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

/// Pressure of an image relative to that of the original, in the n-th row from a wall, if the gas between them is at rest.
double image_pressure(const Case& c, bool is_top, int n) {
  const double weight = c.gravity * D2Q37_R * (2 * n + 1);
  return std::exp(is_top ? -weight / c.top : weight / c.bottom);
}

/// The images behind half-way walls (half_way.hpp).
class Images {
 public:
  /// The images of a state between two steps; none if the case has other walls.
  Images(Reference& lattice, const Case& c) : nx_(c.nx), ny_(c.ny) {
    bottom_ = has_half_way_walls(c) ? with_pinned_rows(c).bottom_row() : -1;
    if (bottom_ < 0) return;
    images_.resize(static_cast<std::size_t>(2 * Case::wall_rows * nx_));
    for (const bool is_top : {false, true})
      for (int x = 0; x < nx_; ++x)
        reflect_column(lattice, c, is_top, x);
  }

  /// Replaces the populations that have crossed a wall with those of the images that arrive.
  void arrive(Reference& lattice) {
    if (bottom_ < 0) return;
    for (const bool is_top : {false, true}) {
      const Wall wall = wall_of(is_top, bottom_, ny_);
      for (int n = 0; n < Case::wall_rows; ++n)
        for (int x = 0; x < nx_; ++x)
          for (int i = 0; i < q; ++i)
            if (wall.turns(i, n))
              lattice.cell(x, wall.row(n, ny_))[i] = at(is_top, wall.source(i, n), ladder::wrapped(x - d2q37_cx[i], nx_))[i];
    }
  }

 private:
  std::array<double, q>& at(bool is_top, int n, std::int64_t x) {
    return images_[static_cast<std::size_t>(((is_top ? Case::wall_rows : 0) + n) * nx_ + x)];
  }

  void reflect_column(Reference& lattice, const Case& c, bool is_top, int x) {
    const Wall wall = wall_of(is_top, bottom_, ny_);
    const double temperature = is_top ? c.top : c.bottom;
    double lost = 0, sent = 0;
    for (int n = 0; n < Case::wall_rows; ++n) {
      const auto f = lattice.cell(x, wall.row(n, ny_));
      const Macroscopic<double> gas = macroscopic(f.data());
      Macroscopic<double> beyond{0, 2 * wall_velocity(c, is_top) - gas.u, -c.gravity - gas.v,
                                 2 * temperature - c.gravity * c.gravity / 4 - gas.temperature};
      beyond.density = image_pressure(c, is_top, n) * gas.density * gas.temperature / beyond.temperature;
      std::array<double, q> own{}, image{};
      equilibrium(gas, own.data());
      equilibrium(beyond, image.data());
      for (int i = 0; i < q; ++i) {
        image[i] += f[i] - own[i];
        if (wall.turns(i, n)) sent += image[i];
        if (wall.turns(d2q37_opposite[i], n)) lost += f[i];
      }
      at(is_top, n, x) = image;
    }
    for (int n = 0; n < Case::wall_rows; ++n)
      for (double& f : at(is_top, n, x))
        f *= lost / sent;
  }

  int nx_, ny_, bottom_ = -1;
  std::vector<std::array<double, q>> images_;  ///< [wall][row from the wall][x]
};

}  // namespace

void Reference::step() {
  Images images(*this, case_);
  propagate();
  if (has_half_way_walls(case_))
    images.arrive(*this);
  else
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
