// Idea:    structure of arrays: neighbouring work-items read and write neighbouring elements
// Layout:  structure of arrays, f[27][z][y][x], two copies of the lattice
// Traffic: 27 values read and 27 written per update
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* Location of population i of cell (x, y, z). */
size_t at(int i, int x, int y, int z, int nx, int ny, int nz) { return (((size_t)i * nz + z) * ny + y) * nx + x; }

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
