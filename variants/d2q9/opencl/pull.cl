/* Returns the index of population i of cell (x, y) in the rung's layout. */
size_t at(int i, int x, int y, int nx, int ny);

/* The Pull pattern: s = the populations that arrive in cell (x, y), fetched from its neighbours. */
__attribute__((always_inline)) void pull(real* s, global const real* f, int x, int y, int nx, int ny) {
  const int west = before(x, nx);
  const int east = after(x, nx);
  const int south = before(y, ny);
  const int north = after(y, ny);
  s[0] = f[at(0, x, y, nx, ny)];
  s[1] = f[at(1, west, y, nx, ny)];
  s[2] = f[at(2, x, south, nx, ny)];
  s[3] = f[at(3, east, y, nx, ny)];
  s[4] = f[at(4, x, north, nx, ny)];
  s[5] = f[at(5, west, south, nx, ny)];
  s[6] = f[at(6, east, south, nx, ny)];
  s[7] = f[at(7, east, north, nx, ny)];
  s[8] = f[at(8, west, north, nx, ny)];
}
