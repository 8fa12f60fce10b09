#include "variants/d2q9r/moments.hpp"
#include "variants/d2q9r/textbook.hpp"
#include "variants/lattice/vortex.hpp"

namespace d2q9r {
namespace {

/// The density and velocity of a state's cells.
auto cells_of(const ladder::Populations& state) {
  return [&](std::int64_t cell) { return moments(lattice::populations<Lattice>(state, cell).data()); };
}

}  // namespace

double kinetic_energy(const Case& c, const ladder::Populations& state) {
  return lattice::vortex::kinetic_energy(c, cells_of(state));
}

double exact_energy(const Case& c, double step) { return lattice::vortex::exact_energy(c, step); }

double velocity_error(const Case& c, const ladder::Populations& state, double step) {
  return lattice::vortex::velocity_error(c, cells_of(state), step);
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  return lattice::vortex::summary(c, cells_of(state));
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook", [](Counting* f) { collide_textbook(f, Counting(1.25), Counting(1)); }),
          count("factored", [](Counting* f) { collide_populations(f, Relaxation<Counting>(1.25)); }),
          count("moments", [](Counting* k) {
            Arrivals<Counting> arrivals;
            Counting s[numbers];
            arrivals.complete(sum(leaving<-1>(k)), s);
            arrivals.keep(sum(leaving<0>(k)), sum(leaving<1>(k)));
            Relaxation<Counting>(1.25)(s, k);
          })};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::vortex::picture(c, plane, cells_of(plane));
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  lattice::vortex::write_results(c, state, cells_of(state), folder, result_files[0]);
}

}  // namespace d2q9r
