#include "harness/domain.hpp"

#include <fmt/format.h>

#include "harness/error.hpp"

namespace ladder {
namespace {

constexpr Triple negative(const Triple& t) { return {-t[0], -t[1], -t[2]}; }

/// Calls visit(shift) for the lattice itself and its 26 periodic images.
template <class Visit>
void for_each_image(const Triple& whole, Visit visit) {
  for (const int z : {-1, 0, 1})
    for (const int y : {-1, 0, 1})
      for (const int x : {-1, 0, 1})
        visit(Triple{x * whole[0], y * whole[1], z * whole[2]});
}

}  // namespace

Domain::Domain(const Triple& whole, const Triple& boxes, std::int64_t depth) {
  Triple halo{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (boxes[a] < 1 || boxes[a] > whole[a])
      throw InputError(fmt::format("{} cells cannot be cut into {} boxes; accepted are 1 to {}", whole[a], boxes[a], whole[a]));
    if (boxes[a] > 1) halo[a] = depth;
    const std::int64_t widest = (whole[a] + boxes[a] - 1) / boxes[a] + 2 * halo[a];
    if (widest > whole[a])
      throw InputError(fmt::format("a box and its halo of {} cells reach around a lattice of {} cells", halo[a], whole[a]));
  }
  const auto first = [&](std::size_t a, std::int64_t n) { return whole[a] * n / boxes[a]; };
  for (std::int64_t n = 0; n < boxes[0] * boxes[1] * boxes[2]; ++n) {
    const Triple at = Box{{}, boxes}.place(n);
    Part part;
    for (std::size_t a = 0; a < 3; ++a) {
      part.box.origin[a] = first(a, at[a]);
      part.box.extent[a] = first(a, at[a] + 1) - part.box.origin[a];
    }
    part.with_halo = part.box.grown(halo);
    part.rank = static_cast<int>(n);
    parts_.push_back(part);
  }
  for (Part& part : parts_)
    for (std::size_t from = 0; from < parts_.size(); ++from)
      for_each_image(whole, [&](const Triple& shift) {
        const Box image = parts_[from].box.moved(shift);
        if (image == part.box) return;
        const Box taken = part.with_halo.common(image);
        if (taken.cells() == 0) return;
        part.transfers.push_back({from, taken.moved(negative(shift)).moved(negative(parts_[from].with_halo.origin)),
                                  taken.moved(negative(part.with_halo.origin))});
      });
}

}  // namespace ladder
