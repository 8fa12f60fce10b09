#pragma once

#include <string>

#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

/// The block of this process, with a halo row on either side; halo columns lie outside the lattice's rows. With two or three
/// processes, each has different columns. A process may be its own neighbour.
struct Block : Strip {
  int west = 0, east = 0;  ///< ranks of the neighbours

  /// @throws ladder::Refused if there are too few rows or columns
  static Block of(const Case& c) {
    const int rank = ladder::mpi::rank();
    int grid[2] = {0, 0};
    LADDER_MPI(MPI_Dims_create(ladder::mpi::size(), 2, grid));
    const int across = grid[0], along = grid[1];
    if (across > c.nx || along > c.ny)
      throw ladder::Refused(ladder::Reason::too_large, std::to_string(across) + " x " + std::to_string(along) +
                                                           " processes are too many for " + std::to_string(c.nx) + " x " +
                                                           std::to_string(c.ny) + " sites; accepted: a row and a column each");
    const int column = rank % across, row = rank / across;
    const auto rank_of = [&](int x, int y) { return (x + across) % across + (y + along) % along * across; };
    Block block;
    block.own = ladder::Domain(c.grid(), {across, along, 1}, 0).parts()[static_cast<std::size_t>(rank)].box;
    block.with_halo = block.own.grown({0, 1, 0});
    block.first = 1;
    block.last = static_cast<int>(block.own.extent[1]);
    block.north = rank_of(column, row + 1);
    block.south = rank_of(column, row - 1);
    block.east = rank_of(column + 1, row);
    block.west = rank_of(column - 1, row);
    block.fluid_cells = c.fluid_cells();
    return block;
  }
};

}  // namespace d2q9
