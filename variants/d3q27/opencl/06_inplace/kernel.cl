// Idea:    in place (AA pattern): the same work-item reads and writes each location; even steps fetch, odd steps are local
// Layout:  structure of arrays, f[27][z][y][x], a single copy of the lattice
// Traffic: 27 values read and 27 written per update
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

/* Location of population i of cell (x, y, z). */
size_t at(int i, int x, int y, int z, int nx, int ny, int nz) { return (((size_t)i * nz + z) * ny + y) * nx + x; }

/* An even step, one work-item per cell. Populations are in their own slots and are fetched from the neighbours; the population
 * that leaves in the opposite direction goes to the same location, which no other work-item reads or writes in this step. */
kernel work_group void run_lbm_even(global real* f, int nx, int ny, int nz, real omega) {
  const size_t cell = get_global_id(0);
  if (cell >= (size_t)nx * ny * nz) return;
  const uint row = (uint)cell / nx;
  const int x = (uint)cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  /* Cells along each side from which populations of velocity -1, 0 and 1 come. */
  const int from_x[3] = {after(x, nx), x, before(x, nx)};
  const int from_y[3] = {after(y, ny), y, before(y, ny)};
  const int from_z[3] = {after(z, nz), z, before(z, nz)};
  size_t places[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    places[i] = at(i, from_x[1 + d3q27_cx[i]], from_y[1 + d3q27_cy[i]], from_z[1 + d3q27_cz[i]], nx, ny, nz);
  real s[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    s[i] = f[places[i]];
  d3q27_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[places[i]] = s[d3q27_opposite[i]];
}

/* An odd step. Populations have arrived in their destination cells, in the slots of the opposite directions; the new ones go to
 * their own slots. */
kernel work_group void run_lbm_odd(global real* f, int nx, int ny, int nz, real omega) {
  const size_t cell = get_global_id(0);
  const size_t cells = (size_t)nx * ny * nz;
  if (cell >= cells) return;
  real s[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    s[i] = f[d3q27_opposite[i] * cells + cell];
  d3q27_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[i * cells + cell] = s[i];
}
