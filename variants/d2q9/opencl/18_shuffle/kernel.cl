// Idea:    shuffles: a strip is one sub-group, whose work-items exchange values without local memory or barriers
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies; speeds[step][group], not yet added up
// Traffic: 9 values and a flag read, 9 values written per `steps` updates; overlaps of strips and segments are read twice
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, 3.5-D blocking optimization for stencil computations, SC 2010
// Bound:   instructions; register use, which leaves room for few work-groups

/* Loops over steps and directions are unrolled, and functions on populations are inlined: a GPU keeps arrays in registers only
 * if their indices are known at compile time. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int ny, int pitch) { return ((size_t)i * ny + y) * pitch + x; }

/* s = the populations that arrive in row y of column columns[1], which lies between columns[0] and columns[2]. Returns whether
 * that cell is solid. */
__attribute__((always_inline)) uint pull_cell(real* s, global const real* f, global const uchar* solid, const int* columns,
                                              int y, int ny, int pitch) {
  const int south = before(y, ny);
  const int north = after(y, ny);
  const int west = columns[0], x = columns[1], east = columns[2];
  s[0] = f[at(0, x, y, ny, pitch)];
  s[1] = f[at(1, west, y, ny, pitch)];
  s[2] = f[at(2, x, south, ny, pitch)];
  s[3] = f[at(3, east, y, ny, pitch)];
  s[4] = f[at(4, x, north, ny, pitch)];
  s[5] = f[at(5, west, south, ny, pitch)];
  s[6] = f[at(6, east, south, ny, pitch)];
  s[7] = f[at(7, east, north, ny, pitch)];
  s[8] = f[at(8, west, north, ny, pitch)];
  return solid[at(0, x, y, ny, pitch)] != 0;
}

/* Same as pull_cell for all cells of a work-item, s[j] from columns + j. Bit j of the result is set if that cell is solid. */
__attribute__((always_inline)) uint pull_cells(real (*s)[9], global const real* f, global const uchar* solid,
                                               const int* columns, int y, int ny, int pitch) {
  uint wall = 0;
#pragma unroll
  for (int j = 0; j < cells; ++j)
    wall |= pull_cell(s[j], f, solid, columns + j, y, ny, pitch) << j;
  return wall;
}

/* Moves s along x: populations that move east come from the cell to the west, and vice versa. Those that enter the strip from
 * outside are wrong. */
__attribute__((always_inline)) void shuffle_along_row(real (*s)[9], int item) {
  const int west = before(item, wx);
  const int east = after(item, wx);
  const real from_west[3] = {shuffled(s[cells - 1][1], west), shuffled(s[cells - 1][5], west), shuffled(s[cells - 1][8], west)};
  const real from_east[3] = {shuffled(s[0][3], east), shuffled(s[0][6], east), shuffled(s[0][7], east)};
#pragma unroll
  for (int j = 1; j < cells; ++j) {
    s[cells - j][1] = s[cells - j - 1][1];
    s[cells - j][5] = s[cells - j - 1][5];
    s[cells - j][8] = s[cells - j - 1][8];
    s[j - 1][3] = s[j][3];
    s[j - 1][6] = s[j][6];
    s[j - 1][7] = s[j][7];
  }
  s[0][1] = from_west[0];
  s[0][5] = from_west[1];
  s[0][8] = from_west[2];
  s[cells - 1][3] = from_east[0];
  s[cells - 1][6] = from_east[1];
  s[cells - 1][7] = from_east[2];
}

#if cells > 1
#define vector JOIN(real, cells)
#define vector_of(p) JOIN(vload, cells)(0, p)
#else
#define vector real
#define vector_of(p) (*(p))
#endif

/* Stores s[j] in cell (x + j, y). Rows are padded to whole vectors. */
__attribute__((always_inline)) void store_cells(real (*s)[9], global real* g, int x, int y, int ny, int pitch) {
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    real row[cells];
#pragma unroll
    for (int j = 0; j < cells; ++j)
      row[j] = s[j][i];
    *(global vector*)(g + at(i, x, y, ny, pitch)) = vector_of(row);
  }
}

/* Advances f by `steps` steps to g; speeds[first + step * groups + group] = sum of |u| over the fluid cells of a work-group
 * after each step. The row `driven` (-1 for none) is accelerated for the next step; in the last step only if `more` is set. */
kernel work_group void timesteps(global const real* f, global real* g, global real* speeds, ulong first, int driven, int more,
                                 global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real parts[steps][wx * wy];
  const int item = get_local_id(0);
  const int x = ((int)get_group_id(0) * (wx - 2 * margin) + item - margin) * cells;
  int columns[cells + 2];
#pragma unroll
  for (int j = 0; j < cells + 2; ++j)
    columns[j] = wrapped(x + j - 1, nx);
  const bool mine = margin <= item && item < wx - margin && x < nx;
  const uint absent = x + cells > nx ? ~0u << max(nx - x, 0) : 0; /* bit j: column x + j lies beyond the grid */
  const int begin = rows * get_group_id(1);
  const int end = min(begin + rows, ny);

  real once[steps][cells][6] = {{{0}}}, twice[steps][cells][3] = {{{0}}}; /* populations waiting after each step but the last */
  real speed[steps] = {0};
  uint walls = 0, forces = 0; /* bit k * cells + j: cell (x + j, y - k) is solid; bit k: row y - k is driven */
  int row = wrapped(begin - (steps - 1), ny);
  real next[cells][9];
  uint next_walls = pull_cells(next, f, solid, columns, row, ny, pitch);
  for (int y = begin - (steps - 1); y < end + (steps - 1); ++y) {
    real s[cells][9];
#pragma unroll
    for (int j = 0; j < cells; ++j)
#pragma unroll
      for (int i = 0; i < 9; ++i)
        s[j][i] = next[j][i];
    walls = walls << cells | next_walls;
    forces = forces << 1 | (row == driven);
    if (y + 1 < end + (steps - 1)) row = after(row, ny); /* otherwise it is read again */
    next_walls = pull_cells(next, f, solid, columns, row, ny, pitch);
#pragma unroll
    for (int step = 0; step < steps; ++step) { /* for row y - step */
      const uint wall = walls >> step * cells;
      const bool last = step == steps - 1;
      const bool drive = (forces >> step & 1) && (!last || more);
      const bool counts = mine && begin <= y - step && y - step < end;
#pragma unroll
      for (int j = 0; j < cells; ++j) {
        const real u2 = update(s[j], !(wall >> j & 1), drive, omega, w1, w2);
        if (counts && !((wall | absent) >> j & 1)) speed[step] += sqrt(u2);
      }
      if (!last) {
        shuffle_along_row(s, item);
#pragma unroll
        for (int j = 0; j < cells; ++j)
          move_along_column(s[j], once[step][j], twice[step][j]);
      }
    }
    if (mine && begin <= y - (steps - 1)) store_cells(s, g, x, y - (steps - 1), ny, pitch);
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const real sum = group_sum(parts[step], speed[step]);
    if (is_first_item()) speeds[first + step * get_num_groups(0) * get_num_groups(1) + group_number()] = sum;
  }
}
