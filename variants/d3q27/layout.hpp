#pragma once

#include <cstdint>
#include <limits>

#include "variants/d3q27/model.hpp"

/// Where population i of site (x, y, z) lies in an array of `size()` numbers of type real.
namespace d3q27 {

/// `place` of a side of `size` sites, of which it may be one beyond either end.
inline int wrapped(int place, int size) { return place < 0 ? place + size : place < size ? place : place - size; }

/// Array of structures: f[z][y][x][27].
struct SiteLayout {
  int nx, ny, nz;

  explicit SiteLayout(const Case& c) : nx(c.nx), ny(c.ny), nz(c.nz) {}
  [[nodiscard]] std::int64_t size() const { return std::int64_t{q} * nx * ny * nz; }
  std::int64_t operator()(int i, int x, int y, int z) const { return q * ((std::int64_t{z} * ny + y) * nx + x) + i; }
};

/// Structure of arrays, f[27][z][y][x]. Rows start at a cache line; between them lies a line at least that belongs to no site,
/// so that one number before a row and one behind it may be written. The directions lie 17 cache lines more than whole pages
/// apart, so that the same site of each falls into other sets of a cache.
template <class real>
class RowLayout {
 public:
  explicit RowLayout(const Case& c)
      : ny_(c.ny), pitch_(line + round_up(c.nx, line)), direction_(round_up(pitch_ * c.ny * c.nz, page) + 17 * line) {}
  [[nodiscard]] std::int64_t size() const { return q * direction_; }
  std::int64_t operator()(int i, int x, int y, int z) const {
    return i * direction_ + (std::int64_t{z} * ny_ + y) * pitch_ + line + x;
  }

 private:
  static constexpr std::int64_t line = 64 / sizeof(real);    // numbers in a cache line
  static constexpr std::int64_t page = 4096 / sizeof(real);  // numbers that the sets of a first-level cache hold once
  static std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

  std::int64_t ny_, pitch_, direction_;
};

/// Copies the populations in `f` to `out`.
template <class real, class Layout>
void store_populations(const Case& c, const real* f, const Layout& layout, ladder::Populations& out) {
#pragma omp parallel for schedule(static)
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          out.at(i, (std::int64_t{z} * c.ny + y) * c.nx + x) = f[layout(i, x, y, z)];
}

/// Writes the initial state to `f`, each plane by the thread that works on it, or on the most of it, in a static schedule.
template <class real, class Layout>
void initialize(const Case& c, real* f, const Layout& layout) {
#pragma omp parallel for schedule(static)
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x) {
        const auto site = c.initial(x, y, z);
        for (int i = 0; i < q; ++i)
          f[layout(i, x, y, z)] = static_cast<real>(site[i]);
      }
}

/// Writes NaN to a lattice in which no state is yet, by the same threads: a number that a step forgets to write shows in
/// checks.
template <class real, class Layout>
void poison(const Case& c, real* f, const Layout& layout) {
#pragma omp parallel for schedule(static)
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          f[layout(i, x, y, z)] = std::numeric_limits<real>::quiet_NaN();
}

}  // namespace d3q27
