// Idea:    boundaries in the same kernel: cells next to a boundary write the returned populations into it
// Layout:  structure of arrays, f[19][z][y][x], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; next to a boundary, 18 more flags read and the returned populations
//          written
// Source:  Ladd, J. Fluid Mech. 271 (1994) 285, half-way bounce-back; this project
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* One step, one work-item per cell: f_temp is streamed, relaxed and stored in f. */
kernel work_group void run_lbm(global const stored* f_temp, global stored* f, global const uchar* flags, int nx, int ny, int nz,
                               real omega, real omega_minus, real speed) {
  const size_t cell = get_global_id(0);
  const size_t cells = (size_t)nx * ny * nz;
  if (cell >= cells) return;
  const int flag = flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
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
  if ((flag & D3Q19_NEAR) == 0) return;
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const uint beyond = neighbour(i, cell, x, y, z, nx, ny, nz);
    const int kind = flags[beyond];
    if ((kind & D3Q19_FLUID) == 0) store_distance(f, d3q19_opposite[i] * cells + beyond, d3q19_returned(s, i, kind, speed));
  }
}
