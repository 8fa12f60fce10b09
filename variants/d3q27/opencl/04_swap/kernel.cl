// Idea:    no copy: the two lattices change places before each step
// Layout:  array of structures, f[z][y][x][27], two lattices
// Traffic: 27 numbers read and 27 written an update
// Source:  Chintapalli and Goh, section 6.4 (what the removal of set_f_temp lacked)
// Bound:   memory bandwidth, badly used: neighbouring work-items lie 27 numbers apart; launches of small grids

/* Loops over directions are unrolled: one left inside a work-item keeps a CPU's compiler from making vectors of work-items. */

/* Where population i of cell (x, y, z) lies. */
size_t at(int i, int x, int y, int z, int nx, int ny, int nz) { return 27 * (((size_t)z * ny + y) * nx + x) + i; }

/* One step of the cell whose number is the work-item's: f is what was streamed from f_temp, relaxed. */
kernel __attribute__((reqd_work_group_size(wx, 1, 1))) void run_lbm(global const real* f_temp, global real* f, int nx, int ny,
                                                                    int nz, real omega) {
  const size_t cell = get_global_id(0);
  if (cell >= (size_t)nx * ny * nz) return;
  const uint row = (uint)cell / nx;
  const int x = (uint)cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  /* Cells along each side from which populations of velocity -1, 0 and 1 come. */
  const int from_x[3] = {x < nx - 1 ? x + 1 : 0, x, x > 0 ? x - 1 : nx - 1};
  const int from_y[3] = {y < ny - 1 ? y + 1 : 0, y, y > 0 ? y - 1 : ny - 1};
  const int from_z[3] = {z < nz - 1 ? z + 1 : 0, z, z > 0 ? z - 1 : nz - 1};
  real s[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    s[i] = f_temp[at(i, from_x[1 + d3q27_cx[i]], from_y[1 + d3q27_cy[i]], from_z[1 + d3q27_cz[i]], nx, ny, nz)];
  d3q27_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[at(i, x, y, z, nx, ny, nz)] = s[i];
}
