#pragma once

#include <algorithm>
#include <cstdint>

#include "variants/lattice/places.hpp"

/// Layouts map slot i of cell (x, y, z) to an index into an array of `required_span_size()` elements, for a lattice with q
/// slots per cell. They are modelled on the layout mappings of std::mdspan; the element type `real` determines how many
/// elements fill a cache line. An array with one byte per cell, such as the obstacles, is laid out like one slot of the
/// populations: `cell(x, y, z)` of `cell_span_size()`.
namespace lattice {

/// Structures with `numbers` elements per cell, the first of which are its populations: f[z][y][x][numbers].
template <Lattice L, class real, int numbers>
class Structures {
 public:
  explicit Structures(const Extents& n) : n_(n) {}

  [[nodiscard]] std::int64_t required_span_size() const { return numbers * n_.cells(); }
  std::int64_t operator()(int i, std::int64_t x, std::int64_t y, std::int64_t z = 0) const {
    return numbers * cell(x, y, z) + i;
  }
  [[nodiscard]] std::int64_t cell_span_size() const { return n_.cells(); }
  [[nodiscard]] std::int64_t cell(std::int64_t x, std::int64_t y, std::int64_t z = 0) const {
    return (z * n_.y + y) * n_.x + x;
  }
  /// Returns the number of columns of a row in memory; the first ones are cells.
  [[nodiscard]] std::int64_t columns() const { return n_.x; }
  [[nodiscard]] Strides strides() const { return {0, numbers, numbers * n_.x, numbers * n_.x * n_.y, 1}; }

 private:
  Extents n_;
};

/// Array of structures: f[z][y][x][q].
template <Lattice L, class real>
class ArrayOfStructures : public Structures<L, real, L::q> {
 public:
  using Structures<L, real, L::q>::Structures;
};

/// Structure of arrays: f[q][z][y][x]. The derived layout chooses the strides between rows and between slots.
template <Lattice L, class real>
class StructureOfArrays {
 public:
  explicit StructureOfArrays(const Extents& n) : StructureOfArrays(n, 0, n.x, 0) {}

  [[nodiscard]] std::int64_t required_span_size() const { return L::q * slot_; }
  std::int64_t operator()(int i, std::int64_t x, std::int64_t y, std::int64_t z = 0) const { return i * slot_ + cell(x, y, z); }
  [[nodiscard]] std::int64_t cell_span_size() const { return span_; }
  [[nodiscard]] std::int64_t cell(std::int64_t x, std::int64_t y, std::int64_t z = 0) const {
    return origin_ + (z * rows_ + y) * pitch_ + x;
  }
  [[nodiscard]] std::int64_t columns() const { return pitch_ - margin_; }
  [[nodiscard]] Strides strides() const { return {origin_, 1, pitch_, rows_ * pitch_, slot_}; }

 protected:
  static constexpr std::int64_t line = 64 / sizeof(real);    // elements per cache line
  static constexpr std::int64_t page = 4096 / sizeof(real);  // elements that fill each set of a first-level cache once

  /// Each slot has `origin` elements before its cell (0, 0, 0). Rows are `pitch` elements apart, and the last `margin` elements
  /// of a row belong to no column. If `gap` is not 0, the distance between slots is a whole number of pages plus `gap`
  /// elements.
  StructureOfArrays(const Extents& n, std::int64_t origin, std::int64_t pitch, std::int64_t gap, std::int64_t margin = 0)
      : origin_(origin),
        pitch_(pitch),
        margin_(margin),
        rows_(n.y),
        span_(origin + n.z * n.y * pitch - margin),
        slot_(gap == 0 ? span_ : round_up(span_, page) + gap) {}

  static std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

 private:
  std::int64_t origin_, pitch_, margin_, rows_, span_, slot_;
};

/// Slots are a whole number of pages plus 17 cache lines apart. The same cell of all slots thus falls into different cache
/// sets, far enough apart that many cells of a row pass before it reaches the next slot's set.
template <Lattice L, class real>
class Padded : public StructureOfArrays<L, real> {
  using Base = StructureOfArrays<L, real>;

 public:
  explicit Padded(const Extents& n) : Base(n, 0, n.x, 17 * Base::line) {}
};

/// Padded slots whose rows start at a cache line and fill whole ones, so that a row can be processed in whole vectors. One line
/// precedes the first row, so that a vector that starts one cell to its west stays within the array.
template <Lattice L, class real>
class Aligned : public StructureOfArrays<L, real> {
  using Base = StructureOfArrays<L, real>;

 public:
  explicit Aligned(const Extents& n) : Base(n, Base::line, Base::round_up(n.x, Base::line), 17 * Base::line) {}

 protected:
  using Base::Base;
};

/// Aligned rows with an unused line between them, so that a vector may be written one cell beyond either end of a row.
template <Lattice L, class real>
class AlignedApart : public StructureOfArrays<L, real> {
  using Base = StructureOfArrays<L, real>;

 public:
  explicit AlignedApart(const Extents& n)
      : Base(n, Base::line, Base::round_up(n.x, Base::line) + Base::line, 17 * Base::line, Base::line) {}
};

/// Rows start at and fill whole lines of `line_bytes`, which suits a GPU's memory accesses: f[q][z][y][pitch], with no gaps
/// between slots.
template <Lattice L, class real>
Strides padded_rows(const Extents& n, std::int64_t line_bytes = 128) {
  const auto line = line_bytes / static_cast<std::int64_t>(sizeof(real));
  const std::int64_t pitch = (n.x + line - 1) / line * line;
  return {0, 1, pitch, pitch * n.y, pitch * n.y * n.z};
}

/// f[z][y][x][q].
template <Lattice L>
constexpr Strides array_of_structures(const Extents& n) {
  return {0, L::q, L::q * n.x, L::q * n.x * n.y, 1};
}
/// f[q][z][y][x].
template <Lattice L>
constexpr Strides structure_of_arrays(const Extents& n) {
  return {0, 1, n.x, n.x * n.y, n.cells()};
}

/// Returns the layout for a case, on its lattice.
template <class real, class Case>
Strides padded_rows(const Case& c, std::int64_t line_bytes = 128) {
  return padded_rows<typename Case::Lattice, real>(extents(c), line_bytes);
}
template <class Case>
Strides array_of_structures(const Case& c) {
  return array_of_structures<typename Case::Lattice>(extents(c));
}
template <class Case>
Strides structure_of_arrays(const Case& c) {
  return structure_of_arrays<typename Case::Lattice>(extents(c));
}

/// Returns the size, in elements, of an array with q slots per cell, padding included.
constexpr std::int64_t required_span_size(int q, const Extents& n, const Strides& s) {
  return s.origin + std::max({q * s.q, n.y * s.y, n.z * s.z});
}

}  // namespace lattice
