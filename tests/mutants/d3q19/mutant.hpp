#pragma once

#include <cstddef>
#include <vector>

#include "variants/d3q19/processor.hpp"

/// A small correct solver with hooks at the places where a rung with boundaries may go wrong. Each mutant is a rung that gets
/// one of these hooks wrong. Mutants are built and checked like any rung.
namespace d3q19::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// Whether cell x of a row with these flags is updated.
  static bool is_updated(const std::uint8_t* flags, int x) { return (flags[x] & D3Q19_FLUID) != 0; }
  /// How many of a row's near-boundary cells get their populations back.
  static std::size_t served(std::size_t near_cells) { return near_cells; }
  /// The slot of a boundary cell that returns a population that left in direction i.
  static int slot(int i) { return d3q19_opposite[i]; }
  /// The kind that a boundary cell is treated as.
  static int kind(int kind) { return kind; }
  /// Speed of VELOCITY cells.
  template <class real>
  static real speed(real speed) {
    return speed;
  }
  /// Relaxation rate of the odd part.
  template <class real>
  static real omega_minus(real /*omega*/, real omega_minus) {
    return omega_minus;
  }
};

template <class real>
using Base = ProcessorSolver<real, lattice::StructureOfArrays>;

/// Two copies of the lattice. When a row has been updated, its near-boundary cells get their populations back.
template <class real, class Choice>
class Mutant final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::flags_;

 public:
  Mutant(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize_row(y, z);
    this->fill_boundaries();
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          update_row(y, z);
      this->swap_lattices();
    }
  }

 private:
  void update_row(int y, int z) {
    std::vector<int> near;
    const std::uint8_t* const row = flags_.data() + layout_.cell(0, y, z);
    for (int x = 0; x < case_.nx; ++x) {
      if (!Choice::is_updated(row, x)) continue;
      real site[q];
      for (int i = 0; i < q; ++i)
        site[i] = f_.data()[layout_(i, lattice::wrapped(x - d3q19_cx[i], case_.nx), lattice::wrapped(y - d3q19_cy[i], case_.ny),
                                    lattice::wrapped(z - d3q19_cz[i], case_.nz))];
      d3q19_collide(site, this->omega_, Choice::omega_minus(this->omega_, this->omega_minus_));
      for (int i = 0; i < q; ++i)
        g_.data()[layout_(i, x, y, z)] = site[i];
      if ((row[x] & D3Q19_NEAR) != 0) near.push_back(x);
    }
    for (std::size_t k = 0; k < Choice::served(near.size()); ++k)
      return_populations(near[k], y, z);
  }

  void return_populations(int x, int y, int z) {
    real site[q];
    for (int i = 0; i < q; ++i)
      site[i] = g_.data()[layout_(i, x, y, z)];
    for (int i = 1; i < q; ++i) {
      const std::int64_t bx = ladder::wrapped(x + d3q19_cx[i], case_.nx), by = ladder::wrapped(y + d3q19_cy[i], case_.ny),
                         bz = ladder::wrapped(z + d3q19_cz[i], case_.nz);
      if (const int kind = case_.kind(bx, by, bz); kind != 0)
        g_.data()[layout_(Choice::slot(i), bx, by, bz)] =
            d3q19_returned(site, i, Choice::kind(kind), Choice::speed(this->speed_));
    }
  }
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{2 * 19 * real + 1, 19 * real};
              },
          .make = {[](const Case& c, const ladder::Number& number, const ladder::Tuning& t) -> std::unique_ptr<Solver> {
            if (number == ladder::f32) return std::make_unique<Mutant<float, Choice>>(c, t);
            return std::make_unique<Mutant<double, Choice>>(c, t);
          }}};
}

}  // namespace d3q19::mutants
