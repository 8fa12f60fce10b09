/* Accelerates row `row` of the state f; one work-item per cell of the row. */
kernel void accelerate(global real* f, global const long* places, global const uchar* solid, int nx, int pitch, int row,
                       real w1, real w2) {
  const int x = get_global_id(0);
  if (x >= nx || solid[(size_t)row * pitch + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[place(places, i, x, row, 0)];
  d2q9_accelerate(s, w1, w2);
  for (int i = 0; i < 9; ++i)
    f[place(places, i, x, row, 0)] = s[i];
}
