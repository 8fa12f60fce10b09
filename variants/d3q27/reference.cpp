#include "harness/parallel.hpp"
#include "variants/d3q27/textbook.hpp"

namespace d3q27 {
namespace {

/// Calls `f(first, last)` for parts of the planes of a case.
template <class F>
void planes_of(const Case& c, F f) {
  ladder::in_parts(c.nz, ladder::worth_a_thread / (std::int64_t{q} * c.nx * c.ny), f);
}

}  // namespace

Reference::Reference(const Case& c, int first_plane, int planes) : case_(c) {
  case_.nz = planes;
  cells_ = ladder::Numbers<double>(static_cast<std::size_t>(q * case_.cells()));
  propagated_ = ladder::Numbers<double>(cells_.size());
  planes_of(case_, [&](std::int64_t first, std::int64_t last) {
    for (auto z = static_cast<int>(first); z < last; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const int of_case = ((first_plane + z) % c.nz + c.nz) % c.nz;
          const auto f = c.initial(x, y, of_case);
          std::copy(f.begin(), f.end(), cell(x, y, z).begin());
        }
  });
}

std::span<double, q> Reference::cell(int x, int y, int z) {
  const std::size_t number = (static_cast<std::size_t>(z) * case_.ny + y) * case_.nx + x;
  return std::span<double, q>(&cells_[q * number], q);
}

void Reference::propagate() {
  const auto wrapped = [](int place, int size) { return place < 0 ? size - 1 : place == size ? 0 : place; };
  // Each number has a place of its own to go to, so that planes can be moved at the same time.
  planes_of(case_, [&](std::int64_t first, std::int64_t last) {
    for (auto z = static_cast<int>(first); z < last; ++z)
      for (int y = 0; y < case_.ny; ++y)
        for (int x = 0; x < case_.nx; ++x) {
          const auto from = cell(x, y, z);
          for (int i = 0; i < q; ++i) {
            const int to_x = wrapped(x + d3q27_cx[i], case_.nx);
            const int to_y = wrapped(y + d3q27_cy[i], case_.ny);
            const int to_z = wrapped(z + d3q27_cz[i], case_.nz);
            propagated_[q * ((static_cast<std::size_t>(to_z) * case_.ny + to_y) * case_.nx + to_x) + i] = from[i];
          }
        }
  });
  cells_.swap(propagated_);
}

void Reference::collide() {
  ladder::in_parts(case_.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      collide_textbook(&cells_[q * n], case_.omega());
  });
}

void Reference::advance(std::int64_t steps) {
  for (std::int64_t step = 0; step < steps; ++step) {
    propagate();
    collide();
  }
}

void Reference::store(ladder::Populations& out) const {
  ladder::in_parts(case_.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t cell = first; cell < last; ++cell)
      for (int i = 0; i < q; ++i)
        out.at(i, cell) = cells_[q * cell + i];
  });
}

}  // namespace d3q27
