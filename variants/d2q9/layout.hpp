#pragma once

#include <cstdint>

#include "variants/d2q9/model.hpp"

/// Where population i of site (x, y) lies in an array of `size()` numbers of type real, and where the site's flag lies in an
/// array of `sites()` bytes, for a grid of nx columns and ny rows. A row holds the columns [0, columns()), of which [0, nx) are
/// sites.
namespace d2q9 {

/// Array of structures: f[y][x][9].
template <class real>
class SiteLayout {
 public:
  SiteLayout(int nx, int ny) : nx_(nx), ny_(ny) {}

  [[nodiscard]] std::int64_t sites() const { return nx_ * ny_; }
  [[nodiscard]] std::int64_t size() const { return q * sites(); }
  [[nodiscard]] int columns() const { return static_cast<int>(nx_); }

  [[nodiscard]] std::int64_t site(int x, int y) const { return y * nx_ + x; }
  std::int64_t operator()(int i, int x, int y) const { return q * site(x, y) + i; }

 private:
  std::int64_t nx_, ny_;
};

/// Structure of arrays, f[9][y][x]: nine planes of ny rows. The distances between rows and planes are the layout's choice.
template <class real>
class PlaneLayout {
 public:
  PlaneLayout(int nx, int ny) : PlaneLayout(0, nx, ny, 0) {}

  [[nodiscard]] std::int64_t sites() const { return origin_ + ny_ * pitch_; }
  [[nodiscard]] std::int64_t size() const { return q * plane_; }
  [[nodiscard]] int columns() const { return static_cast<int>(pitch_); }

  [[nodiscard]] std::int64_t site(int x, int y) const { return origin_ + y * pitch_ + x; }
  std::int64_t operator()(int i, int x, int y) const { return i * plane_ + site(x, y); }

 protected:
  static constexpr std::int64_t line = 64 / sizeof(real);    // numbers in a cache line
  static constexpr std::int64_t page = 4096 / sizeof(real);  // numbers that the sets of a first-level cache hold once

  /// `origin` numbers lie before site (0, 0) of each plane, `pitch` from row to row; `gap` more than whole pages from plane to
  /// plane, where it is not 0.
  PlaneLayout(std::int64_t origin, std::int64_t pitch, std::int64_t ny, std::int64_t gap)
      : origin_(origin), pitch_(pitch), ny_(ny), plane_(gap == 0 ? sites() : round_up(sites(), page) + gap) {}

  static std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

 private:
  std::int64_t origin_, pitch_, ny_, plane_;
};

/// Planes that lie 17 cache lines more than whole pages apart: the same site of nine planes falls into nine sets of a cache,
/// far enough from each other that a row passes many sites before it meets the next plane's.
template <class real>
class PaddedLayout : public PlaneLayout<real> {
  using Base = PlaneLayout<real>;

 public:
  PaddedLayout(int nx, int ny) : Base(0, nx, ny, 17 * Base::line) {}
};

/// Padded planes whose rows start at a cache line and hold whole ones, so that a row may be worked on in whole vectors. One
/// line lies before the first row: a vector that starts one site to the west of it is within the array.
template <class real>
class AlignedLayout : public PlaneLayout<real> {
  using Base = PlaneLayout<real>;

 public:
  AlignedLayout(int nx, int ny) : Base(Base::line, Base::round_up(nx, Base::line), ny, 17 * Base::line) {}
};

}  // namespace d2q9
