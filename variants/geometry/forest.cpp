#include "variants/geometry/forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace geometry {
namespace {

using ladder::Box;
using ladder::Triple;

void require_cells(const Triple& block) {
  for (const std::int64_t side : block)
    if (side < 1) throw ladder::InputError(fmt::format("blocks of {} cells along an axis; accepted: at least 1", side));
}

/// Position of a block on the Morton curve: the interleaved bits of x, y and z.
std::uint64_t morton(const Triple& place) {
  std::uint64_t out = 0;
  for (unsigned bit = 0; bit < 21; ++bit)
    for (unsigned a = 0; a < 3; ++a)
      out |= (static_cast<std::uint64_t>(place[a]) >> bit & 1) << (3 * bit + a);
  return out;
}

/// Whether all cells of the box, in a periodic grid with these sides, are fluid (`wanted`) or none is.
bool holds(std::span<const std::uint8_t> kinds, const Triple& sides, const Box& box, bool wanted) {
  for (std::int64_t n = 0; n < box.extent[1] * box.extent[2]; ++n) {
    const std::int64_t y = ladder::wrapped(box.origin[1] + n % box.extent[1], sides[1]);
    const std::int64_t z = ladder::wrapped(box.origin[2] + n / box.extent[1], sides[2]);
    const std::span<const std::uint8_t> row = kinds.subspan(sides[0] * (y + sides[1] * z), sides[0]);
    for (std::int64_t x = box.origin[0]; x < box.origin[0] + box.extent[0]; ++x)
      if ((row[ladder::wrapped(x, sides[0])] == 0) == wanted) return true;
  }
  return false;
}

}  // namespace

Triple extended(const Triple& cells, const Triple& block) {
  require_cells(block);
  Triple out;
  for (std::size_t a = 0; a < 3; ++a)
    out[a] = (std::max<std::int64_t>(1, cells[a]) + block[a] - 1) / block[a] * block[a];
  return out;
}

std::vector<Block> make_forest(std::span<const std::uint8_t> kinds, const Triple& sides, const Triple& block) {
  if (extended(sides, block) != sides)
    throw ladder::InputError(fmt::format("{} x {} x {} cells are not whole blocks of {} x {} x {}; accepted: multiples",
                                         sides[0], sides[1], sides[2], block[0], block[1], block[2]));
  const Box counts = {{}, {sides[0] / block[0], sides[1] / block[1], sides[2] / block[2]}};
  struct Found {
    Block block;
    bool has_fluid;
    std::uint64_t place;
  };
  std::vector<Found> all(static_cast<std::size_t>(counts.cells()));
  const std::int64_t least = std::max<std::int64_t>(1, ladder::worth_a_thread / (block[0] * block[1] * block[2]));
  ladder::in_parts(counts.cells(), least, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) {
      const Triple at = counts.place(n);
      const Box box = {{at[0] * block[0], at[1] * block[1], at[2] * block[2]}, block};
      all[n] = {{box, !holds(kinds, sides, box.grown({1, 1, 1}), false)}, holds(kinds, sides, box, true), morton(at)};
    }
  });
  std::erase_if(all, [](const Found& f) { return !f.has_fluid; });
  std::sort(all.begin(), all.end(), [](const Found& l, const Found& r) { return l.place < r.place; });
  std::vector<Block> blocks;
  blocks.reserve(all.size());
  for (const Found& found : all)
    blocks.push_back(found.block);
  return blocks;
}

ladder::Domain domain_of(const std::vector<Block>& blocks, const Triple& sides, std::int64_t depth, int processes,
                         const std::vector<double>& weights) {
  std::vector<Box> boxes;
  boxes.reserve(blocks.size());
  for (const Block& block : blocks)
    boxes.push_back(block.box);
  return {sides, boxes, depth, processes, weights};
}

}  // namespace geometry
