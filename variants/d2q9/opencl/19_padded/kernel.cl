// Idea:    padded rows: each row starts at a multiple of the vector size, for any grid width
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies; speeds[step][group], not yet added up
// Traffic: 9 values and a flag read, 9 values written per `steps` updates; overlaps of strips and segments are read twice
// Source:  Waugh, section X (data aligned to cache lines)
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

/* Advances a cell, s, from the arriving populations to the leaving ones; cells of a `driven` row are accelerated. Returns |u|^2
 * if fluid. */
__attribute__((always_inline)) real update(real* s, bool fluid, bool driven, real omega, real w1, real w2) {
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] : rebounded[i];
  if (driven && fluid) d2q9_accelerate(s, w1, w2);
  return u2;
}

/* Moves s along x: populations that move east come from the work-item to the west, and vice versa. Those that enter the strip
 * from outside are wrong. */
__attribute__((always_inline)) void move_along_row(real* s, local real (*sent)[wx], int item) {
  const int west = before(item, wx);
  const int east = after(item, wx);
  sent[0][item] = s[1];
  sent[1][item] = s[5];
  sent[2][item] = s[8];
  sent[3][item] = s[3];
  sent[4][item] = s[6];
  sent[5][item] = s[7];
  barrier(CLK_LOCAL_MEM_FENCE);
  s[1] = sent[0][west];
  s[5] = sent[1][west];
  s[8] = sent[2][west];
  s[3] = sent[3][east];
  s[6] = sent[4][east];
  s[7] = sent[5][east];
}

/* Moves s along y, from the populations that left a row to those that arrive in the row south of it. Populations that move
 * south have arrived; those that stay in their row wait for one row in `once`, those that move north for two, in `once` and
 * `twice`. */
__attribute__((always_inline)) void move_along_column(real* s, real* once, real* twice) {
  swap(once + 0, s + 0);
  swap(once + 1, s + 1);
  swap(once + 2, s + 3);
  swap(once + 3, s + 2);
  swap(once + 4, s + 5);
  swap(once + 5, s + 6);
  swap(twice + 0, s + 2);
  swap(twice + 1, s + 5);
  swap(twice + 2, s + 6);
}

/* Advances f by `steps` steps to g; speeds[first + step * groups + group] = sum of |u| over the fluid cells of a work-group
 * after each step. The row `driven` (-1 for none) is accelerated for the next step; in the last step only if `more` is set. */
kernel work_group void timesteps(global const real* f, global real* g, global real* speeds, ulong first, int driven, int more,
                                 global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real sent[2][6][wx];
  local real parts[steps][wx * wy];
  const int item = get_local_id(0);
  const int x = (int)get_group_id(0) * (wx - 2 * margin) + item - margin;
  const int columns[3] = {wrapped(x - 1, nx), wrapped(x, nx), wrapped(x + 1, nx)};
  const bool mine = margin <= item && item < wx - margin && x < nx;
  const int begin = rows * get_group_id(1);
  const int end = min(begin + rows, ny);

  real once[steps][6] = {{0}}, twice[steps][3] = {{0}}; /* populations waiting after each step but the last */
  real speed[steps] = {0};
  uint walls = 0, forces = 0; /* bit k: cell (x, y - k) is solid; row y - k is driven */
  int exchanges = 0;
  int row = wrapped(begin - (steps - 1), ny);
  for (int y = begin - (steps - 1); y < end + (steps - 1); ++y) {
    real s[9];
    walls = walls << 1 | pull_cell(s, f, solid, columns, row, ny, pitch);
    forces = forces << 1 | (row == driven);
    row = after(row, ny);
#pragma unroll
    for (int step = 0; step < steps; ++step) { /* for row y - step */
      const bool fluid = !(walls >> step & 1);
      const bool last = step == steps - 1;
      const real u2 = update(s, fluid, (forces >> step & 1) && (!last || more), omega, w1, w2);
      if (mine && fluid && begin <= y - step && y - step < end) speed[step] += sqrt(u2);
      if (!last) {
        move_along_row(s, sent[exchanges++ % 2], item);
        move_along_column(s, once[step], twice[step]);
      }
    }
    if (mine && begin <= y - (steps - 1)) {
#pragma unroll
      for (int i = 0; i < 9; ++i)
        g[at(i, x, y - (steps - 1), ny, pitch)] = s[i];
    }
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const real sum = group_sum(parts[step], speed[step]);
    if (is_first_item()) speeds[first + step * get_num_groups(0) * get_num_groups(1) + group_number()] = sum;
  }
}
