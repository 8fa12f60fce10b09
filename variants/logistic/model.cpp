#include "variants/logistic/model.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/output.hpp"
#include "variants/lattice/fields.hpp"

namespace logistic {

std::vector<double> Model::series(const Case& c, const ladder::Populations& state, std::int64_t) {
  return {state.total() / static_cast<double>(c.cells())};
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  return fmt::format("case: {} ({}x{}), {} steps\nmean: {:.12E}\n", c.name, c.nx, c.ny, c.steps,
                     series(c, state, c.steps).front());
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("factored", [](Counting* x) { *x = logistic_map(Counting(LOGISTIC_DIFFERENT), *x); })};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(c, [&](std::int64_t x, std::int64_t y) { return plane.at(0, plane.box.number(x, y, 0)); });
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  std::string numbers = "x y number\n";
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto [x, y, z] = state.box.place(cell);
    fmt::format_to(std::back_inserter(numbers), "{} {} {:.17g}\n", x, y, state.at(0, cell));
  }
  ladder::write_files(folder, {{std::string(result_files[0]), numbers}});
}

}  // namespace logistic
