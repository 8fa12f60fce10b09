/* Accelerates the row `row` of a lattice f whose population i of cell (x, y) lies at x * stride_x + y * stride_y + i * stride_q
 * or, if `odd`, where it moves to: in the next cell's place of the opposite direction. One work-item per cell of the row. */
kernel void accelerate(global real* f, int odd, global const uchar* solid, int nx, int ny, int pitch, int row, ulong stride_x,
                       ulong stride_y, ulong stride_q, real w1, real w2) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const int x = get_global_id(0);
  if (x >= nx || get_global_id(1) > 0 || solid[(size_t)row * pitch + x]) return;
  size_t places[9];
  for (int i = 0; i < 9; ++i) {
    const size_t at_x = odd ? (x + cx[i] + nx) % nx : x;
    const size_t at_y = odd ? (row + cy[i] + ny) % ny : row;
    places[i] = at_x * stride_x + at_y * stride_y + (odd ? opposite[i] : i) * stride_q;
  }
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[places[i]];
  d2q9_accelerate(s, w1, w2);
  for (int i = 0; i < 9; ++i)
    f[places[i]] = s[i];
}
