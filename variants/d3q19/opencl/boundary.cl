/* Writes the returned populations into the boundary cells: see boundary.hpp. One work-item for each of the `count` fluid cells
 * whose indices are in `near`; for any layout and pattern. */
kernel work_group void fill_boundaries(global stored* f, global const long* places, global const uchar* flags,
                                       global const uint* near, uint count, int nx, int ny, int nz, real speed) {
  if (get_global_id(0) >= count) return;
  const uint cell = near[get_global_id(0)];
  const uint row = cell / nx;
  const int x = cell % nx;
  const int y = row % ny;
  const int z = row / ny;
  real s[19];
  for (int i = 0; i < 19; ++i)
    s[i] = load_distance(f, place(places, i, x, y, z));
  for (int i = 1; i < 19; ++i) {
    const uint beyond = neighbour(i, cell, x, y, z, nx, ny, nz);
    const int kind = flags[beyond];
    if ((kind & D3Q19_FLUID) == 0)
      store_distance(f, place(places, d3q19_opposite[i], beyond % nx, beyond / nx % ny, beyond / nx / ny),
                     d3q19_returned(s, i, kind, speed));
  }
}
