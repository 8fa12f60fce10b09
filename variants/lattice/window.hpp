#pragma once

#include "harness/domain.hpp"

namespace lattice {

/// The location of a part of a case in the whole. A whole case has none: `whole` is empty.
struct Window {
  ladder::Triple whole = {0, 0, 0};
  ladder::Triple origin = {0, 0, 0};

  /// The place in the whole lattice of the cell at `place` of the part.
  [[nodiscard]] ladder::Triple operator()(ladder::Triple place) const {
    for (std::size_t a = 0; a < 3 && whole[a] > 0; ++a)
      place[a] = ladder::wrapped(place[a] + origin[a], whole[a]);
    return place;
  }
  /// The window of a box of a case of `grid` cells that has this window.
  [[nodiscard]] Window part(const ladder::Triple& grid, const ladder::Box& box) const {
    const bool is_whole = whole[0] == 0;
    Window window = {is_whole ? grid : whole, box.origin};
    for (std::size_t a = 0; a < 3; ++a)
      window.origin[a] += origin[a];
    return window;
  }
};

}  // namespace lattice
