/* Location of population i of cell (x, y, z), in the rung's layout. */
size_t at(int i, int x, int y, int z, int nx, int ny, int nz);

/* The pattern Pull: fetches the populations s that arrive in cell (x, y, z) from its neighbours. */
__attribute__((always_inline)) void pull(real* s, global const real* f, int x, int y, int z, int nx, int ny, int nz) {
  /* Cells along each side from which populations of velocity -1, 0 and 1 come. */
  const int from_x[3] = {after(x, nx), x, before(x, nx)};
  const int from_y[3] = {after(y, ny), y, before(y, ny)};
  const int from_z[3] = {after(z, nz), z, before(z, nz)};
#pragma unroll
  for (int i = 0; i < 27; ++i)
    s[i] = f[at(i, from_x[1 + d3q27_cx[i]], from_y[1 + d3q27_cy[i]], from_z[1 + d3q27_cz[i]], nx, ny, nz)];
}
