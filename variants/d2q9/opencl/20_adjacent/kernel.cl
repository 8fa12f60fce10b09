// Idea:    adjacent cells: a work-item advances `cells` cells of a row; only the outer ones go through local memory
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies; speeds[step][group], not yet added up
// Traffic: 9 values and a flag read, 9 values written per `steps` updates; overlaps of strips and segments are read twice
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, 3.5-D blocking optimization for stencil computations, SC 2010
// Bound:   instructions; memory latency, since the rows that wait in registers leave room for few work-groups

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

/* Advances f by `steps` steps to g; speeds[first + step * groups + group] = sum of |u| over the fluid cells of a work-group
 * after each step. The row `driven` (-1 for none) is accelerated for the next step; in the last step only if `more` is set. */
kernel work_group void timesteps(global const real* f, global real* g, global real* speeds, ulong first, int driven, int more,
                                 global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real sent[2][6][wx];
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
  int exchanges = 0;
  int row = wrapped(begin - (steps - 1), ny);
  for (int y = begin - (steps - 1); y < end + (steps - 1); ++y) {
    real s[cells][9];
    walls <<= cells;
#pragma unroll
    for (int j = 0; j < cells; ++j)
      walls |= pull_cell(s[j], f, solid, columns + j, row, ny, pitch) << j;
    forces = forces << 1 | (row == driven);
    row = after(row, ny);
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
        move_along_row(s, sent[exchanges++ % 2], item);
#pragma unroll
        for (int j = 0; j < cells; ++j)
          move_along_column(s[j], once[step][j], twice[step][j]);
      }
    }
    if (mine && begin <= y - (steps - 1)) { /* rows are padded to whole work-items */
#pragma unroll
      for (int j = 0; j < cells; ++j)
#pragma unroll
        for (int i = 0; i < 9; ++i)
          g[at(i, x + j, y - (steps - 1), ny, pitch)] = s[j][i];
    }
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const real sum = group_sum(parts[step], speed[step]);
    if (is_first_item()) speeds[first + step * get_num_groups(0) * get_num_groups(1) + group_number()] = sum;
  }
}
