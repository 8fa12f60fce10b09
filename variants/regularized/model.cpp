#include "variants/lattice/vortex.hpp"
#include "variants/regularized/moments.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

/// The density and velocity of a state's cells.
auto cells_of(const ladder::Populations& state) {
  return [&](std::int64_t cell) { return moments(lattice::populations<Lattice>(state, cell).data()); };
}

}  // namespace

double kinetic_energy(const Case& c, const ladder::Populations& state) {
  return lattice::vortex::kinetic_energy(c, cells_of(state));
}

// Cases with obstacles are not compared with an exact solution; these values are then 0.

double exact_energy(const Case& c, double step) { return c.solid.empty() ? lattice::vortex::exact_energy(c, step) : 0; }

double velocity_error(const Case& c, const ladder::Populations& state, double step) {
  return c.solid.empty() ? lattice::vortex::velocity_error(c, cells_of(state), step) : 0;
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  if (c.solid.empty()) return lattice::vortex::summary(c, cells_of(state));
  return fmt::format("case: {} ({}x{}x{}, {} fluid cells), {} steps\nkinetic energy: {:.12E}\n", c.name, c.nx, c.ny, c.nz,
                     c.fluid_cells(), c.steps, kinetic_energy(c, state));
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook", [](Counting* f) { collide_textbook(f, Counting(1.25), Counting(1)); }),
          count("factored", [](Counting* f) { collide_populations(f, Relaxation<Counting>(1.25)); })};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::vortex::picture(c, plane, cells_of(plane));
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  lattice::vortex::write_results(c, state, cells_of(state), folder, result_files[0]);
}

}  // namespace regularized
