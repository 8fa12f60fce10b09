/* Streaming. Rows are counted from the bottom wall: row n is row (n + bottom) mod ny of the lattice. Without walls, `bottom` is
 * 0 and rows wrap. */

/* A lattice f[37][ny][pitch]: population i of column x is f[i * slot + row_start(...) + x]. */
typedef struct {
  int nx, ny, pitch, bottom;
  ulong slot;
} Grid;

/* Wraps position n along a side of `size` cells; n may exceed either end by up to `size`. */
LBM_FUNCTION int wrapped(int n, int size) { return n < 0 ? n + size : n < size ? n : n - size; }

/* Index of the first cell of row n, which may exceed either end by up to ny rows. */
LBM_FUNCTION int row_start(int n, Grid grid) { return wrapped(wrapped(n, grid.ny) + grid.bottom, grid.ny) * grid.pitch; }

/* Index of the cell at column x and row n. */
LBM_FUNCTION int cell_at(int x, int n, Grid grid) { return row_start(n, grid) + wrapped(x, grid.nx); }

/* Fetches the populations s that arrive in the cell at column x and row n; the lattice is periodic. */
LBM_FUNCTION void stream_in(real* s, global const real* restrict f, int x, int n, Grid grid) {
  int columns[7], rows[7]; /* sources of the populations with velocity -3 to 3 */
#pragma unroll
  for (int c = -3; c <= 3; ++c) {
    columns[3 + c] = wrapped(x - c, grid.nx);
    rows[3 + c] = row_start(n - c, grid);
  }
#pragma unroll
  for (int i = 0; i < 37; ++i)
    s[i] = f[i * grid.slot + rows[3 + d2q37_cy[i]] + columns[3 + d2q37_cx[i]]];
}

/* Writes the populations s to the cell of g at column x and row n. */
LBM_FUNCTION void store_cell(const real* s, global real* restrict g, int x, int n, Grid grid) {
  const int cell = cell_at(x, n, grid);
#pragma unroll
  for (int i = 0; i < 37; ++i)
    g[i * grid.slot + cell] = s[i];
}

/* The rows at the walls, numbered 0 to 5: three at the bottom, three at the top. */
LBM_FUNCTION bool is_at_top(int wall_row) { return wall_row > 2; }
LBM_FUNCTION int row_at_wall(int wall_row, int ny) { return is_at_top(wall_row) ? ny - 6 + wall_row : wall_row; }

/* The same for the cell at column x in such a row: populations from beyond the wall are those that left in the opposite
 * direction; then the cell takes the wall's state. */
LBM_FUNCTION void stream_at_wall(real* s, global const real* restrict f, int x, int wall_row, Grid grid, real wall_speed,
                                 real theta_bottom, real theta_top) {
  const bool top = is_at_top(wall_row);
  const int n = row_at_wall(wall_row, grid.ny);
  const int depth = top ? grid.ny - 1 - n : n; /* rows between this one and the wall */
#pragma unroll
  for (int i = 0; i < 37; ++i) {
    const int source = depth - (top ? -d2q37_cy[i] : d2q37_cy[i]); /* depth of the row from which population i comes */
    const int mirrored = top ? grid.ny + source : -1 - source;
    s[i] = source < 0 ? f[d2q37_opposite[i] * grid.slot + cell_at(x, mirrored, grid)]
                      : f[i * grid.slot + cell_at(x - d2q37_cx[i], n - d2q37_cy[i], grid)];
  }
  d2q37_wall(s, wall_speed, top ? theta_top : theta_bottom);
}
