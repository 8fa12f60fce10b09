// Idea:    the same sources, the host code built with -Ofast and the instruction set of this machine
// Layout:  array of structures, f[y][x][9], two lattices on the device and two on the host
// Traffic: five passes read 9 numbers an update (copy in, propagate, copy out, collide, average speed), four write them;
//          and 3 flags are read
// Source:  Waugh, Table I, row "Compiler Optimizations"; section I
// Bound:   copies of the lattice between host and device, then arithmetic of one core of the host

/* Loops over directions are unrolled: one left inside a work-item keeps a CPU's compiler from making vectors of work-items. */

/* Where population i of cell (x, y) lies. */
size_t at(int i, int x, int y, int nx, int ny) { return 9 * ((size_t)y * nx + x) + i; }

/* Drives the row ny - 2, for the work-groups of the first row. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void accelerate(global real* f, global const uchar* solid, int nx,
                                                                        int ny, real w1, real w2) {
  const int y = ny - 2;
  const int x = get_global_id(0);
  if (x >= nx || get_global_id(1) > 0) return;
  if (solid[(size_t)y * nx + x]) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, nx, ny)];
  d2q9_accelerate(s, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = s[i];
}

/* g = f moved by one cell, each population in its direction; both grids wrap around. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void propagate(global const real* f, global real* g, int nx, int ny) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  const int west = x > 0 ? x - 1 : nx - 1;
  const int east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  g[at(0, x, y, nx, ny)] = f[at(0, x, y, nx, ny)];
  g[at(1, x, y, nx, ny)] = f[at(1, west, y, nx, ny)];
  g[at(2, x, y, nx, ny)] = f[at(2, x, south, nx, ny)];
  g[at(3, x, y, nx, ny)] = f[at(3, east, y, nx, ny)];
  g[at(4, x, y, nx, ny)] = f[at(4, x, north, nx, ny)];
  g[at(5, x, y, nx, ny)] = f[at(5, west, south, nx, ny)];
  g[at(6, x, y, nx, ny)] = f[at(6, east, south, nx, ny)];
  g[at(7, x, y, nx, ny)] = f[at(7, east, north, nx, ny)];
  g[at(8, x, y, nx, ny)] = f[at(8, west, north, nx, ny)];
}
