#include "variants/d3q27/textbook.hpp"
#include "variants/lattice/vortex.hpp"

namespace d3q27 {
namespace {

constexpr double bytes_per_cell = q * sizeof(float);  ///< that a lattice takes at least

}  // namespace

std::string Case::content() const { return lattice::vortex::content(*this); }

Macroscopic Case::vortex(std::int64_t x, std::int64_t y, double step) const {
  return lattice::vortex::exact<Macroscopic>(*this, x, y, step);
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  if (is_seeded) {
    const std::uint64_t cell = number_in_whole(x, y, z);
#pragma GCC unroll 27
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i) * seeded_factor(cell, i);
  } else {
    const ladder::Triple place = in_whole(x, y, z);
    const Macroscopic m = vortex(place[0], place[1], 0);
    for (int i = 0; i < q; ++i)
      f[i] = equilibrium(i, m);
  }
  return f;
}

Case Model::make_case(std::string_view name) { return lattice::vortex::make_case<Model>(name, bytes_per_cell); }

Case parse_parameters(const std::string& path, std::string_view text) {
  return lattice::vortex::parse_parameters<Case>(path, text);
}

Case Model::read_case(std::span<const std::string> files) { return lattice::vortex::read_case<Case>(files, bytes_per_cell); }

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("tgv-7x5x3")), seeded(make_case("tgv-13x9x11")), seeded(make_case("tgv-16x4x6"))};
}

}  // namespace d3q27
