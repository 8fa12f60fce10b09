#include "harness/bench/rung.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/parallel.hpp"
#include "base/summation.hpp"

namespace ladder {

Populations::Populations(int q_, const Box& box_) { reset(q_, box_); }

void Populations::reset(int velocities, const Box& of) {
  q = velocities;
  box = of;
  f.clear();
  f.resize(static_cast<std::size_t>(q * cells()));
  poison();
}

void Populations::poison() {
  in_parts(q * cells(), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    std::fill(f.begin() + first, f.begin() + last, std::numeric_limits<double>::quiet_NaN());
  });
}

void Populations::take(const Populations& other) {
  const Box shared = box.common(other.box);
  const auto [nx, ny, nz] = shared.extent;
  const auto row_of = [&](const Box& of, std::int64_t y, std::int64_t z) {
    return of.number(shared.origin[0] - of.origin[0], shared.origin[1] - of.origin[1] + y, shared.origin[2] - of.origin[2] + z);
  };
  for (int i = 0; i < q; ++i)
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        std::copy_n(&other.f[static_cast<std::size_t>(i * other.cells() + row_of(other.box, y, z))], nx,
                    &f[static_cast<std::size_t>(i * cells() + row_of(box, y, z))]);
}

double Populations::total() const {
  return ladder::total(in_parts(std::ssize(f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    Sum sum;
    for (std::int64_t n = first; n < last; ++n)
      sum.add(f[static_cast<std::size_t>(n)]);
    return sum.value();
  }));
}

}  // namespace ladder
