// Idea:    flag: an `if` skips cells that are not fluid; a second kernel writes returned populations into boundary cells
// Layout:  structure of arrays, f[19][z][y][x], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; the second kernel reads cells next to a boundary again
// Source:  Zheng, chapter 3; Kruger et al., The Lattice Boltzmann Method, Springer 2017, section 5.3.3
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* One step, one work-item per cell: f_temp is streamed, relaxed and stored in f. */
kernel work_group void run_lbm(global const stored* f_temp, global stored* f, global const uchar* flags, int nx, int ny, int nz,
                               real omega, real omega_minus) {
  const size_t cell = get_global_id(0);
  const size_t cells = (size_t)nx * ny * nz;
  if (cell >= cells) return;
  if ((flags[cell] & D3Q19_FLUID) == 0) return;
  const uint row = (uint)cell / nx;
  const int x = (uint)cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  real s[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    s[i] = load_distance(f_temp, i * cells + neighbour(d3q19_opposite[i], cell, x, y, z, nx, ny, nz));
  d3q19_collide(s, omega, omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    store_distance(f, i * cells + cell, s[i]);
}
