#include "variants/d3q19/open.hpp"

namespace d3q19 {

OpenLinks::OpenLinks(const Case& c) : closed(c.ny), open(c.ny) {
  const Runs<LinkRun> all = link_runs(c);
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y) {
      for (const LinkRun& run : all.row(y, z)) {
        if (run.kind != D3Q19_OUTFLOW) {
          const bool is_inflow = run.kind == D3Q19_INFLOW, is_across = d3q19_cx[run.i] == 0;
          (is_inflow && !is_across ? open : closed)
              .add({run.begin, run.end, run.i, is_inflow && is_across ? std::uint8_t{D3Q19_WALL} : run.kind});
          continue;
        }
        for (std::uint16_t x = run.begin; x < run.end; ++x) {
          const LinkRun link = {x, static_cast<std::uint16_t>(x + 1), run.i, D3Q19_OUTFLOW};
          const bool upstream = d3q19_cx[run.i] > 0 && c.kind(x, y + d3q19_cy[run.i], z + d3q19_cz[run.i]) == 0;
          if (!upstream)
            closed.add({link.begin, link.end, link.i, D3Q19_WALL});
          else if (run.i == 1)  // for other directions, the cell upstream of the outflow cell has this link
            open.add(link);
        }
      }
      closed.finish_row();
      open.finish_row();
    }
}

}  // namespace d3q19
