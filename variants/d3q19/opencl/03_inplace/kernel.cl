// Idea:    in place (AA pattern): the same work-item reads and writes each location; even steps fetch, odd steps are local
// Layout:  structure of arrays, f[19][z][y][x], a single copy of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; next to a boundary, 18 more flags read and the returned populations
//          written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* An even step, one work-item per cell. Populations are in their own slots and are fetched from the neighbours; the population
 * that leaves in the opposite direction goes to the same location. A returned population goes where the next step reads it, to
 * the cell itself: a location that belongs to the boundary in this step. */
kernel work_group void run_lbm_even(global stored* f, global const uchar* flags, int nx, int ny, int nz, real omega,
                                    real omega_minus, real speed) {
  const size_t cell = get_global_id(0);
  const size_t cells = (size_t)nx * ny * nz;
  if (cell >= cells) return;
  const int flag = flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  const uint row = (uint)cell / nx;
  const int x = (uint)cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  size_t places[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    places[i] = i * cells + neighbour(d3q19_opposite[i], cell, x, y, z, nx, ny, nz);
  real s[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    s[i] = load_distance(f, places[i]);
  d3q19_collide(s, omega, omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    store_distance(f, places[i], s[d3q19_opposite[i]]);
  if ((flag & D3Q19_NEAR) == 0) return;
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const int kind = flags[neighbour(i, cell, x, y, z, nx, ny, nz)];
    if ((kind & D3Q19_FLUID) == 0) store_distance(f, i * cells + cell, d3q19_returned(s, i, kind, speed));
  }
}

/* An odd step. Populations have arrived in their destination cells, in the slots of the opposite directions; the new ones go to
 * their own slots. A returned population goes to the boundary cell, from which the next step fetches it. */
kernel work_group void run_lbm_odd(global stored* f, global const uchar* flags, int nx, int ny, int nz, real omega,
                                   real omega_minus, real speed) {
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
    s[i] = load_distance(f, d3q19_opposite[i] * cells + cell);
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
