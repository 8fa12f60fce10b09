// Idea:    host flags: the same sources, with the host code built with -Ofast and this machine's instruction set
// Layout:  array of structures, f[y][x][9], two copies of the lattice on the device and two on the host
// Traffic: five passes read 9 values per update (copy in, propagate, copy out, collide, average speed), four of them write 9; 3
//          flags are read
// Source:  Waugh, Table I, row "Compiler Optimizations"; section I
// Bound:   copies of the lattice between host and device, then arithmetic on one core of the host

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return 9 * ((size_t)y * nx + x) + i; }

/* g = f with each population moved by one cell in its direction; both axes wrap around. */
kernel work_group void propagate(global const real* f, global real* g, int nx, int ny) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  real s[9];
  pull(s, f, x, y, nx, ny);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, nx, ny)] = s[i];
}
