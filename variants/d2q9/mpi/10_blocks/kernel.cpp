// Idea:    blocks of rows and columns: of many processes, each sends less than the two rows of a strip
// Layout:  structure of arrays, f[9][y][x] of a block, a halo of one cell around it, rows start at a cache line, two lattices
// Traffic: 9 numbers and a flag read, 9 numbers written
// Source:  Waugh, section XIII (decomposition in two dimensions); MPI 3.1, section 4.1 (derived datatypes)
// Bound:   memory bandwidth, shared by the processes; columns of the halo take a cache line per number
#include <array>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

/// The block of this process, with a row of halo on either side; columns of halo lie outside of the lattice's rows. Of two and
/// three processes each has columns of its own. Neighbours may be the process itself.
struct Block : Strip {
  int west = 0, east = 0;  ///< ranks of the neighbours

  /// @throws ladder::Refused if there are too few rows or columns
  static Block of(const Case& c) {
    const int rank = ladder::mpi::rank();
    int grid[2] = {0, 0};
    LADDER_MPI(MPI_Dims_create(ladder::mpi::size(), 2, grid));
    const auto [across, along] = grid;
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

template <class real>
class Blocks final : public StripSolver<real, ladder::RowStream, true> {
  using Base = StripSolver<real, ladder::RowStream, true>;
  using typename Base::Lattice;

 public:
  Blocks(const Case& c, const ladder::Tuning&) : Blocks(c, Block::of(c)) {}

  void advance(std::int64_t steps) override {
    std::vector<double> speeds;
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      speeds.push_back(update(step < steps));
      this->turn();
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  using Messages = std::array<MPI_Request, 4>;

  Blocks(const Case& c, const Block& block) : Base(c, block), block_(block) { this->initialize_rows(); }

  /// One step; returns the sum of the speeds.
  double update(bool more) {
    Messages columns = exchange_columns(this->from());
    wait(columns);
    Messages rows = exchange_rows(this->from());  // with the corners, which came with the columns
    double speeds = this->update_rows(block_.first + 1, block_.last - 1, more);
    wait(rows);
    speeds += this->update_rows(block_.first, block_.first, more);
    if (block_.last > block_.first) speeds += this->update_rows(block_.last, block_.last, more);
    return speeds;
  }

  static void wait(Messages& messages) {
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
  }

  /// Begins to send the outer own columns to the neighbours, and to receive theirs as halos.
  Messages exchange_columns(Lattice lattice) const {
    const auto column = [&](int x) { return this->row(lattice, 0, block_.first) + x; };
    const MPI_Comm world = ladder::mpi::world();
    Messages messages{};
    LADDER_MPI(MPI_Irecv(column(-1), 1, east_, block_.west, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(column(this->case_.nx), 1, west_, block_.east, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(column(this->case_.nx - 1), 1, east_, block_.east, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(column(0), 1, west_, block_.west, 1, world, &messages[3]));
    return messages;
  }

  /// The same for rows, which begin and end with a cell of the halo.
  Messages exchange_rows(Lattice lattice) const {
    const auto row = [&](int y) { return this->row(lattice, 0, y) - 1; };
    const MPI_Comm world = ladder::mpi::world();
    Messages messages{};
    LADDER_MPI(MPI_Irecv(row(block_.first - 1), 1, north_, block_.south, 2, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(row(block_.last + 1), 1, south_, block_.north, 3, world, &messages[1]));
    LADDER_MPI(MPI_Isend(row(block_.last), 1, north_, block_.north, 2, world, &messages[2]));
    LADDER_MPI(MPI_Isend(row(block_.first), 1, south_, block_.south, 3, world, &messages[3]));
    return messages;
  }

  const Block block_;

  /// Rows and columns of the three directions that cross a border towards the side of their name.
  const Datatype north_{rows_of({2, 5, 6})}, south_{rows_of({4, 7, 8})}, east_{columns_of({1, 5, 8})},
      west_{columns_of({3, 6, 7})};

  [[nodiscard]] MPI_Datatype rows_of(const std::array<int, 3>& directions) const {
    std::array<int, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = static_cast<int>(directions[k] * this->layout_.strides().q);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_create_indexed_block(3, this->case_.nx + 2, places.data(), number_type<real>(), &type));
    return type;
  }

  [[nodiscard]] MPI_Datatype columns_of(const std::array<int, 3>& directions) const {
    std::array<MPI_Aint, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = static_cast<MPI_Aint>(directions[k] * this->layout_.strides().q * static_cast<std::int64_t>(sizeof(real)));
    const int rows = block_.last - block_.first + 1;
    MPI_Datatype column = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(rows, 1, static_cast<int>(this->layout_.strides().y), number_type<real>(), &column));
    LADDER_MPI(MPI_Type_create_hindexed_block(3, 1, places.data(), column, &type));
    LADDER_MPI(MPI_Type_free(&column));
    return type;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Blocks, d2q9::Model>};
