#pragma once

#include <cstdint>

#include "variants/d3q19/model.hpp"

/// Cases with a body that is given by a mesh.
namespace d3q19 {

/// Kind of a cell on the border of a wind tunnel along x: inflow, a far field and a ground that move with it, outflow; 0 of the
/// others.
std::uint8_t tunnel_border(const Case& c, std::int64_t x, std::int64_t y, std::int64_t z);
/// The project's car in a wind tunnel of the case's sides.
void make_car(Case& c);
/// Cars behind each other and side by side: one in a periodic box, as large as 0.626 % of the cells, which is the share of
/// cells that are not fluid in Zheng's test (table 3.6: 734.668 MFLUPS of 739.293 MLUPS).
void make_street(Case& c);

}  // namespace d3q19
