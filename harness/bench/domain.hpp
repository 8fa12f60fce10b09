#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ladder {

/// One number for each axis: x, y, z.
using Triple = std::array<std::int64_t, 3>;

/// `n` wrapped into [0, size). Most numbers are already in this range, and dividing would dominate the time of the references.
constexpr std::int64_t wrapped(std::int64_t n, std::int64_t size) { return n >= 0 && n < size ? n : (n % size + size) % size; }

/// The cells [origin, origin + extent) of a lattice. Cells of a box are numbered with x fastest, then y, then z.
struct Box {
  Triple origin = {0, 0, 0};
  Triple extent = {0, 0, 0};

  [[nodiscard]] constexpr std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }

  /// Number of the box's cell (x, y, z), counted from its origin.
  [[nodiscard]] constexpr std::int64_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x + extent[0] * (y + extent[1] * z);
  }
  /// The place of the box's n-th cell in the lattice.
  [[nodiscard]] constexpr Triple place(std::int64_t n) const {
    return {origin[0] + n % extent[0], origin[1] + n / extent[0] % extent[1], origin[2] + n / extent[0] / extent[1]};
  }
  /// The box with `halo` more cells at both ends of each axis.
  [[nodiscard]] constexpr Box grown(const Triple& halo) const {
    Box box = *this;
    for (std::size_t a = 0; a < 3; ++a) {
      box.origin[a] -= halo[a];
      box.extent[a] += 2 * halo[a];
    }
    return box;
  }
  [[nodiscard]] constexpr Box moved(const Triple& by) const {
    return {{origin[0] + by[0], origin[1] + by[1], origin[2] + by[2]}, extent};
  }
  /// The cells that lie in both boxes; no cells if they do not overlap.
  [[nodiscard]] constexpr Box common(const Box& other) const {
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.origin[a] = std::max(origin[a], other.origin[a]);
      box.extent[a] =
          std::max<std::int64_t>(0, std::min(origin[a] + extent[a], other.origin[a] + other.extent[a]) - box.origin[a]);
    }
    return box;
  }

  bool operator==(const Box&) const = default;
};

/// A periodic lattice, or a part of it, as a list of boxes, each with a halo of copies of its neighbours' cells. The simplest
/// domain is one box without a halo, which wraps.
///
/// A solver that works on a part holds the part's box and its halo as a periodic lattice of its own. After s steps, the outer s
/// times reach cells of its halo are wrong; its box is right as long as the halo is at least that deep.
class Domain {
 public:
  /// Cells that a part copies from a neighbour before its next steps. Both boxes are relative to the corner of the halo of the
  /// part that holds them.
  struct Transfer {
    std::size_t from = 0;  ///< index of the neighbour, which may be the part itself
    Box source;            ///< in the neighbour, cells of its box
    Box target;            ///< in this part, cells of its halo
  };
  struct Part {
    Box box;         ///< the cells that the part owns, in the whole lattice
    Box with_halo;   ///< the same with the halo, which may extend beyond the lattice; its cells wrap
    int rank = 0;    ///< process that owns the part
    int device = 0;  ///< device of that process
    std::vector<Transfer> transfers;

    /// The cells that the part owns, relative to the corner of its halo.
    [[nodiscard]] Box own() const { return box.moved({-with_halo.origin[0], -with_halo.origin[1], -with_halo.origin[2]}); }
  };

  /// `whole` cells cut into `boxes` boxes along each axis, as equal as possible. Along axes that are cut, halos are `depth`
  /// deep; along the others the single box wraps. Parts are numbered with x fastest, and part p belongs to rank p.
  /// @throws InputError if an axis has fewer cells than boxes, or a halo would extend around the lattice
  Domain(const Triple& whole, const Triple& boxes, std::int64_t depth);

  /// The given boxes of a lattice of `whole` cells, which may leave cells without an owner: halos are filled from the boxes
  /// that exist, and the other cells of halos are never written. Halos are `depth` deep along every axis, except those along
  /// which every box spans the lattice, and wraps. Each of `processes` ranks owns consecutive boxes, with equal sums of
  /// `weights`, as nearly as whole boxes allow; without weights, of cells.
  /// @throws InputError without a box, for a box without cells or beyond the lattice, boxes that overlap, a halo that would
  ///         extend around the lattice, more processes than boxes, and weights that are not one positive number for each box
  Domain(const Triple& whole, const std::vector<Box>& boxes, std::int64_t depth, int processes = 1,
         const std::vector<double>& weights = {});

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

}  // namespace ladder
