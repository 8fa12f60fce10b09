#include "variants/d3q19/runs.hpp"

#include <algorithm>

namespace d3q19 {

Runs<CellRun> cell_runs(const Case& c) {
  Runs<CellRun> runs(c.ny);
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y) {
      for (int x = 0; x < c.nx; ++x) {
        if (c.is_solid(x, y, z)) continue;
        if (CellRun* last = runs.last(); last != nullptr && last->end == x)
          ++last->end;
        else
          runs.add({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(x + 1)});
      }
      runs.finish_row();
    }
  return runs;
}

Runs<LinkRun> link_runs(const Case& c) {
  Runs<LinkRun> runs(c.ny);
  const std::vector<std::uint8_t> all = flags(c);
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y) {
      const std::uint8_t* row = &all[static_cast<std::size_t>(ladder::Box{{}, c.grid()}.number(0, y, z))];
      const auto is_near = [](std::uint8_t flag) { return (flag & D3Q19_NEAR) != 0; };
      for (int i = 1; i < q && std::any_of(row, row + c.nx, is_near); ++i)
        for (int x = 0; x < c.nx; ++x) {
          if (!is_near(row[x])) continue;
          const int kind = c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]);
          if (kind == 0) continue;
          const bool wraps = d3q19_cx[i] > 0 ? x == c.nx - 1 : d3q19_cx[i] < 0 && x == 1;
          if (LinkRun* last = runs.last(); last != nullptr && last->end == x && last->i == i && last->kind == kind && !wraps)
            ++last->end;
          else
            runs.add({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(x + 1), static_cast<std::uint8_t>(i),
                      static_cast<std::uint8_t>(kind)});
        }
      runs.finish_row();
    }
  return runs;
}

}  // namespace d3q19
