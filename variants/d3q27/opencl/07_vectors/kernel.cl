// Idea:    vectors: a work-item accesses neighbouring cells all at once, and reads one more value to shift them by one cell
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], two copies of the lattice
// Traffic: 27 values read and 27 written per update
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launch overhead for small grids

/* Loops over directions are unrolled; a loop inside a work-item keeps a CPU's compiler from vectorizing across work-items. */

constant int lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* The vector v shifted by one cell, with `entering` at the end that becomes free. */
#if width == 1
#define moved_east(entering, v) (entering)
#define moved_west(v, entering) (entering)
#elif width == 2
#define moved_east(entering, v) ((lanes)(entering, (v).s0))
#define moved_west(v, entering) ((lanes)((v).s1, entering))
#elif width == 4
#define moved_east(entering, v) ((lanes)(entering, (v).s012))
#define moved_west(v, entering) ((lanes)((v).s123, entering))
#elif width == 8
#define moved_east(entering, v) ((lanes)(entering, (v).s0123, (v).s456))
#define moved_west(v, entering) ((lanes)((v).s123, (v).s4567, entering))
#else
#define moved_east(entering, v) ((lanes)(entering, (v).s01234567, (v).s89ab, (v).scde))
#define moved_west(v, entering) ((lanes)((v).s123, (v).s4567, (v).s89abcdef, entering))
#endif

/* Location of population i of cell (x, y, z). Rows are `pitch` elements apart and start at a cache line. */
size_t at(int i, int x, int y, int z, int pitch, int ny, int nz) { return (((size_t)i * nz + z) * ny + y) * pitch + x; }

/* One step, one work-item per vector: f_temp is streamed, relaxed and stored in f. */
kernel work_group void run_lbm(global const real* f_temp, global real* f, int nx, int ny, int nz, int pitch, real omega) {
  const uint vectors = (nx + width - 1) / width;
  const uint row = (uint)get_global_id(0) / vectors;
  if (row >= (uint)ny * nz) return;
  const int x = (uint)get_global_id(0) % vectors * width;
  const int y = row % ny;
  const int z = row / ny;
  const int from_y[3] = {after(y, ny), y, before(y, ny)};
  const int from_z[3] = {after(z, nz), z, before(z, nz)};
  const int west = before(x, nx);
  const int east = x + width < nx ? x + width : 0;
  lanes s[27];
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    global const real* const cells = f_temp + at(i, 0, from_y[1 + d3q27_cy[i]], from_z[1 + d3q27_cz[i]], pitch, ny, nz);
    s[i] = *(global const lanes*)(cells + x);
    if (d3q27_cx[i] > 0) s[i] = moved_east(cells[west], s[i]);
    if (d3q27_cx[i] < 0) {
      s[i] = moved_west(s[i], cells[east]);
      if (x + width > nx) s[i] = to_integers(load(lane_numbers)) == nx - 1 - x ? (lanes)cells[east] : s[i];
    }
  }
  d3q27_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    *(global lanes*)(f + at(i, x, y, z, pitch, ny, nz)) = s[i];
}
