#include "variants/d3q27/strides.hpp"

namespace d3q27 {
namespace {

template <class real>
void copy_from_where_they_move(const Case& c, std::span<const real> numbers, const Strides& strides, bool turned,
                               ladder::Populations& out) {
  const std::int64_t plane = std::int64_t{q} * c.nx * c.ny;
  ladder::in_parts(c.nz, ladder::worth_a_thread / plane, [&](std::int64_t first, std::int64_t last) {
    for (int i = 0; i < q; ++i)
      for (auto z = static_cast<int>(first); z < last; ++z)
        for (int y = 0; y < c.ny; ++y)
          for (int x = 0; x < c.nx; ++x)
            out.at(i, (std::int64_t{z} * c.ny + y) * c.nx + x) =
                numbers[strides.at(turned ? d3q27_opposite[i] : i, (x + d3q27_cx[i] + c.nx) % c.nx,
                                   (y + d3q27_cy[i] + c.ny) % c.ny, (z + d3q27_cz[i] + c.nz) % c.nz)];
  });
}

}  // namespace

void copy_moved(const Case& c, std::span<const float> numbers, const Strides& strides, bool turned, ladder::Populations& out) {
  copy_from_where_they_move(c, numbers, strides, turned, out);
}
void copy_moved(const Case& c, std::span<const double> numbers, const Strides& strides, bool turned, ladder::Populations& out) {
  copy_from_where_they_move(c, numbers, strides, turned, out);
}

}  // namespace d3q27
