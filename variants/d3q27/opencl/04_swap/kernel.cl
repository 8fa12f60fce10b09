// Idea:    no copy kernel: the two copies of the lattice swap roles before each step
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: 27 values read and 27 written per update
// Source:  Chintapalli and Goh, section 6.4, whose version without set_f_temp lacked the swap
// Bound:   memory bandwidth, used poorly: neighbouring work-items are 27 elements apart; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* Location of population i of cell (x, y, z). */
size_t at(int i, int x, int y, int z, int nx, int ny, int nz) { return 27 * (((size_t)z * ny + y) * nx + x) + i; }

/* One step, one work-item per cell: f_temp is streamed, relaxed and stored in f. */
kernel work_group void run_lbm(global const real* f_temp, global real* f, int nx, int ny, int nz, real omega) {
  const size_t cell = get_global_id(0);
  if (cell >= (size_t)nx * ny * nz) return;
  const uint row = (uint)cell / nx;
  const int x = (uint)cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  real s[27];
  pull(s, f_temp, x, y, z, nx, ny, nz);
  d3q27_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[at(i, x, y, z, nx, ny, nz)] = s[i];
}
