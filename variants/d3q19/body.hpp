#pragma once

#include <cstdint>

#include "variants/d3q19/model.hpp"

/// Cases with a body in a wind tunnel.
namespace d3q19 {

/// Kind of a cell on the border of a wind tunnel along x: inflow, far field and ground, which move with the inflow, or outflow;
/// 0 for all other cells.
std::uint8_t tunnel_border(const Case& c, std::int64_t x, std::int64_t y, std::int64_t z);
/// Number of cells that a body's voxels cover when seen along x, i.e. of rows that contain a wall.
double frontal_area(const Case& c);
/// Places the project's car in a wind tunnel with the case's sides.
void make_car(Case& c);
/// Cars behind and next to each other: one car in a periodic box, occupying 0.626 % of the cells, which is the share of
/// non-fluid cells in Zheng's test (table 3.6: 734.668 MFLUPS versus 739.293 MLUPS).
void make_street(Case& c);

}  // namespace d3q19
