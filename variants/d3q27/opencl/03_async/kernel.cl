// Idea:    the host does not wait between steps: the next kernel is always in the device's queue
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: run_lbm and set_f_temp each read and write 27 values per update
// Source:  Chintapalli and Goh, notebook entry 3 (section 6)
// Bound:   memory bandwidth, spent twice over and used poorly: neighbouring work-items are 27 elements apart

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

/* Copies f to f_temp, from which the next step streams. */
kernel work_group void set_f_temp(global const real* f, global real* f_temp, int nx, int ny, int nz) {
  const size_t cell = get_global_id(0);
  if (cell >= (size_t)nx * ny * nz) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f_temp[27 * cell + i] = f[27 * cell + i];
}
