#include "variants/lattice/vortex.hpp"
#include "variants/regularized/obstacles.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

constexpr double bytes_per_cell = numbers * sizeof(float);  ///< that a lattice takes at least

/// The model with the names of all its cases, for messages.
struct AllNames : Model {
  static std::vector<std::string> case_names() {
    std::vector<std::string> all = Model::case_names();
    for (const std::string& name : obstacle_case_names())
      all.push_back(name);
    return all;
  }
};

/// A small seeded case with all kinds of cells.
Case of_all_kinds(std::string_view name) {
  Case c = Model::seeded(Model::make_case(name));
  c.name += " of all kinds";
  for (std::size_t n = 0; n < c.solid.size(); ++n)
    if (c.solid[n] != 0) c.solid[n] = static_cast<std::uint8_t>(1 << ladder::mixed(n) % 3);
  return c;
}

}  // namespace

std::string Case::content() const {
  const std::string flow = lattice::vortex::content(*this);
  if (solid.empty()) return flow;
  return fmt::format("{:016x}",
                     ladder::fnv1a({reinterpret_cast<const char*>(solid.data()), solid.size()}, ladder::fnv1a(flow)));
}

Macroscopic Case::vortex(std::int64_t x, std::int64_t y, double step) const {
  return lattice::vortex::exact<Macroscopic>(*this, x, y, step);
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  if (kind_of(*this, x, y, z) != 0) {
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i);
    return f;
  }
  if (!is_seeded) {
    const ladder::Triple place = in_whole(x, y, z);
    // Around obstacles, the fluid starts as a uniform flow.
    const Macroscopic m = solid.empty() ? vortex(place[0], place[1], 0) : Macroscopic{1, speed, 0, 0};
    for (int i = 0; i < q; ++i)
      f[i] = equilibrium(i, m);
    return f;
  }
  const std::uint64_t cell = number_in_whole(x, y, z);
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * seeded_factor(cell, i);
  double k[numbers];
  project(f.data(), k);
  populations_of(k, f.data());
  return f;
}

Case Model::make_case(std::string_view name) {
  if (auto c = make_obstacle_case(name)) return *std::move(c);
  return lattice::vortex::make_case<AllNames>(name, bytes_per_cell);
}

Case parse_parameters(const std::string& path, std::string_view text) {
  return lattice::vortex::parse_parameters<Case>(path, text);
}

Case Model::read_case(std::span<const std::string> files) { return lattice::vortex::read_case<Case>(files, bytes_per_cell); }

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("tgv-7x5x3")),     seeded(make_case("tgv-13x9x11")), seeded(make_case("tgv-16x4x6")),
          seeded(make_case("porous-16x4x6")), of_all_kinds("porous-13x9x11"),   seeded(make_case("car-48x20x18"))};
}

}  // namespace regularized
