/* Streaming. Rows are counted from the bottom wall: row n is row (n + bottom) mod ny of the lattice. Without walls `bottom` is
 * 0, and rows wrap. */

/* A lattice f[37][ny][pitch]: population i of column x is f[i * slot + row_start(...) + x]. */
typedef struct {
  int nx, ny, pitch, bottom;
  ulong slot;
} Grid;

/* Place n on a side of `size` cells, wrapped; it may lie up to a side beyond either end. */
LBM_FUNCTION int wrapped(int n, int size) { return n < 0 ? n + size : n < size ? n : n - size; }

/* Index of the first cell of row n, which may lie up to a lattice beyond either end. */
LBM_FUNCTION int row_start(int n, Grid grid) { return wrapped(wrapped(n, grid.ny) + grid.bottom, grid.ny) * grid.pitch; }

/* Index of the cell of column x and row n. */
LBM_FUNCTION int cell_at(int x, int n, Grid grid) { return row_start(n, grid) + wrapped(x, grid.nx); }

/* s = the populations that arrive in the cell of column x and row n; the lattice is periodic. */
LBM_FUNCTION void stream_in(real* s, global const real* restrict f, int x, int n, Grid grid) {
  int columns[7], rows[7]; /* from which populations of velocity -3 to 3 come */
#pragma unroll
  for (int c = -3; c <= 3; ++c) {
    columns[3 + c] = wrapped(x - c, grid.nx);
    rows[3 + c] = row_start(n - c, grid);
  }
#pragma unroll
  for (int i = 0; i < 37; ++i)
    s[i] = f[i * grid.slot + rows[3 + d2q37_cy[i]] + columns[3 + d2q37_cx[i]]];
}

/* The rows at the walls, numbered 0 to 5: three at the bottom, three at the top. */
LBM_FUNCTION bool is_at_top(int wall_row) { return wall_row > 2; }
LBM_FUNCTION int row_at_wall(int wall_row, int ny) { return is_at_top(wall_row) ? ny - 6 + wall_row : wall_row; }

/* The same for the cell of column x in such a row: populations from beyond the wall are those that left in the opposite
 * direction; then the cell gets the state of its wall. */
LBM_FUNCTION void stream_at_wall(real* s, global const real* restrict f, int x, int wall_row, Grid grid, real wall_speed,
                                 real theta_bottom, real theta_top) {
  const bool top = is_at_top(wall_row);
  const int n = row_at_wall(wall_row, grid.ny);
  const int depth = top ? grid.ny - 1 - n : n; /* rows between this one and the wall */
#pragma unroll
  for (int i = 0; i < 37; ++i) {
    const int source = depth - (top ? -d2q37_cy[i] : d2q37_cy[i]); /* depth of the row that population i comes from */
    const int mirrored = top ? grid.ny + source : -1 - source;
    s[i] = source < 0 ? f[d2q37_opposite[i] * grid.slot + cell_at(x, mirrored, grid)]
                      : f[i * grid.slot + cell_at(x - d2q37_cx[i], n - d2q37_cy[i], grid)];
  }
  d2q37_wall(s, wall_speed, top ? theta_top : theta_bottom);
}
