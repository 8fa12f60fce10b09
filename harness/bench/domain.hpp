#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ladder {

/// One value per axis: x, y, z.
using Triple = std::array<std::int64_t, 3>;

/// `n` wrapped into [0, size). Most values are already in this range, and divisions would dominate the run time of the
/// references.
constexpr std::int64_t wrapped(std::int64_t n, std::int64_t size) { return n >= 0 && n < size ? n : (n % size + size) % size; }

/// The cells [origin, origin + extent) of a lattice. Cells of a box are numbered with x fastest, then y, then z.
struct Box {
  Triple origin = {0, 0, 0};
  Triple extent = {0, 0, 0};

  [[nodiscard]] constexpr std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }

  /// Index of the box's cell (x, y, z), counted from its origin.
  [[nodiscard]] constexpr std::int64_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x + extent[0] * (y + extent[1] * z);
  }
  /// Location of the box's n-th cell in the lattice.
  [[nodiscard]] constexpr Triple place(std::int64_t n) const {
    return {origin[0] + n % extent[0], origin[1] + n / extent[0] % extent[1], origin[2] + n / extent[0] / extent[1]};
  }
  /// The box extended by `halo` cells at both ends of each axis.
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
  /// The cells in both boxes; empty if they do not overlap.
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

/// A periodic lattice, or a part of it, as a list of boxes, each with a halo that holds copies of its neighbours' cells. The
/// simplest domain is a single box that wraps around and has no halo.
///
/// A solver for a part treats its box and halo as a periodic lattice. After s steps, the outer s times reach cells of its halo
/// are wrong; the box itself is correct as long as the halo is at least that deep.
class Domain {
 public:
  /// Cells that a part copies from a neighbour before its next steps. Each box is relative to the halo corner of the part it
  /// belongs to.
  struct Transfer {
    std::size_t from = 0;  ///< index of the neighbour; may be the part itself
    Box source;            ///< cells of the neighbour's box
    Box target;            ///< cells of this part's halo
  };
  struct Part {
    Box box;         ///< cells that the part owns, in lattice coordinates
    Box with_halo;   ///< the box plus its halo, which may extend beyond the lattice; its cells wrap
    int rank = 0;    ///< process that owns the part
    int device = 0;  ///< device within that process
    std::vector<Transfer> transfers;

    /// The cells that the part owns, relative to the corner of its halo.
    [[nodiscard]] Box own() const { return box.moved({-with_halo.origin[0], -with_halo.origin[1], -with_halo.origin[2]}); }
  };

  /// Cuts a lattice of `whole` cells into `boxes` boxes along each axis, as equal in size as possible. Halos are `depth` deep
  /// along axes that are cut; along the others the single box wraps. Parts are numbered with x fastest; part p belongs to rank
  /// p.
  /// @throws InputError if an axis has fewer cells than boxes, or a halo would extend around the lattice
  Domain(const Triple& whole, const Triple& boxes, std::int64_t depth);

  /// A lattice of `whole` cells with the given boxes. Some cells may have no owner: halos are filled from existing boxes, and
  /// halo cells without an owner are never written. Halos are `depth` deep, except along axes that every box spans completely;
  /// there, boxes wrap around. Each of `processes` ranks owns consecutive boxes with sums of `weights` (by default, of cells)
  /// as equal as possible.
  /// @throws InputError if there is no box, a box is empty, extends beyond the lattice or overlaps another, a halo would extend
  /// around the lattice, there are more processes than boxes, or `weights` is not one positive value per box
  Domain(const Triple& whole, const std::vector<Box>& boxes, std::int64_t depth, int processes = 1,
         const std::vector<double>& weights = {});

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

}  // namespace ladder
