// Idea:    `steps` steps per pass: each step advances the row south of the one that the previous step has just advanced
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice; speeds[step][group], not yet added up
// Traffic: 9 values and a flag read, 9 values written per `steps` updates; overlaps of strips and segments are read twice
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, 3.5-D blocking optimization for stencil computations, SC 2010
// Bound:   instructions; memory latency, since the rows that wait in registers leave room for few work-groups

/* Loops over steps and directions are unrolled, and functions on populations are inlined: a GPU keeps arrays in registers only
 * if their indices are known at compile time. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return ((size_t)i * ny + y) * nx + x; }

/* Advances f by `steps` steps to g; speeds[first + step * groups + group] = sum of |u| over the fluid cells of a work-group
 * after each step. The row `driven` (-1 for none) is accelerated for the next step; in the last step only if `more` is set. */
kernel work_group void timesteps(global const real* f, global real* g, global real* speeds, ulong first, int driven, int more,
                                 global const uchar* solid, int nx, int ny, real omega, real w1, real w2) {
  local real sent[2][6][wx];
  local real parts[steps][wx * wy];
  const int item = get_local_id(0);
  const int column = (int)get_group_id(0) * (wx - 2 * margin) + item - margin;
  const int x = wrapped(column, nx);
  const bool mine = margin <= item && item < wx - margin && column < nx;
  const int begin = rows * get_group_id(1);
  const int end = min(begin + rows, ny);

  real once[steps][6] = {{0}}, twice[steps][3] = {{0}}; /* populations waiting after each step but the last */
  real speed[steps] = {0};
  uint walls = 0, forces = 0; /* bit k: cell (x, y - k) is solid; row y - k is driven */
  int exchanges = 0;
  int row = wrapped(begin - (steps - 1), ny);
  for (int y = begin - (steps - 1); y < end + (steps - 1); ++y) {
    real s[9];
    pull(s, f, x, row, nx, ny);
    walls = walls << 1 | (solid[(size_t)row * nx + x] != 0);
    forces = forces << 1 | (row == driven);
    row = after(row, ny);
#pragma unroll
    for (int step = 0; step < steps; ++step) { /* for row y - step */
      const bool fluid = !(walls >> step & 1);
      const bool last = step == steps - 1;
      const real u2 = update(s, fluid, (forces >> step & 1) && (!last || more), omega, w1, w2);
      if (mine && fluid && begin <= y - step && y - step < end) speed[step] += sqrt(u2);
      if (!last) {
        move_along_row(&s, sent[exchanges++ % 2], item);
        move_along_column(s, once[step], twice[step]);
      }
    }
    if (mine && begin <= y - (steps - 1)) {
#pragma unroll
      for (int i = 0; i < 9; ++i)
        g[at(i, column, y - (steps - 1), nx, ny)] = s[i];
    }
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const real sum = group_sum(parts[step], speed[step]);
    if (is_first_item()) speeds[first + step * get_num_groups(0) * get_num_groups(1) + group_number()] = sum;
  }
}
