// Idea:    vectors: a work-item accesses neighbouring cells at once, and reads one more value to shift them by one cell
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; next to a boundary, 18 more flags read and the returned populations
//          written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launch overhead for small grids

#define vector JOIN(real, cells)

/* The vector v shifted by one cell, with `entering` in the freed element. */
#if cells == 2
#define moved_east(entering, v) ((vector)(entering, (v).s0))
#define moved_west(v, entering) ((vector)((v).s1, entering))
#elif cells == 4
#define moved_east(entering, v) ((vector)(entering, (v).s012))
#define moved_west(v, entering) ((vector)((v).s123, entering))
#else
#define moved_east(entering, v) ((vector)(entering, (v).s0123, (v).s456))
#define moved_west(v, entering) ((vector)((v).s123, (v).s4567, entering))
#endif

/* The populations in the `cells` elements from n on, an aligned vector (storage.cl). */
#if stored_is_half
#define load_vector(f, n) (JOIN(vloada_half, cells)(0, (global const half*)((f) + (n))) * (1 / 32768.0f))
#define store_vector(f, n, v) JOIN(JOIN(vstorea_half, cells), _rte)((v)*32768, 0, (global half*)((f) + (n)))
#else
#define load_vector(f, n) (*(global const vector*)((f) + (n)))
#define store_vector(f, n, v) (*(global vector*)((f) + (n)) = (v))
#endif

/* Location of population i of cell (x, y, z). Rows are `pitch` elements apart and start at a cache line. */
size_t at(int i, int x, int y, int z, int ny, int nz, int pitch) { return (((size_t)i * nz + z) * ny + y) * pitch + x; }

/* One step, one work-item per vector: f_temp is streamed, relaxed and stored in f. Cells that are not fluid are not stored. */
kernel work_group void run_lbm(global const stored* f_temp, global stored* f, global const uchar* flags, int nx, int ny, int nz,
                               int pitch, real omega, real omega_minus, real speed) {
  const uint vectors = (nx + cells - 1) / cells;
  const uint row = (uint)get_global_id(0) / vectors;
  if (row >= (uint)ny * nz) return;
  const int x = (uint)get_global_id(0) % vectors * cells;
  const int y = row % ny;
  const int z = row / ny;
  const uint cell = row * nx + x;
  uint fluid = 0, near = 0; /* bit k refers to cell k */
#pragma unroll
  for (int k = 0; k < cells; ++k) {
    const uint flag = x + k < nx ? flags[cell + k] : D3Q19_INSIDE;
    fluid |= ((flag & D3Q19_FLUID) != 0) << k;
    near |= ((flag & D3Q19_NEAR) != 0) << k;
  }
  if (fluid == 0) return;

  const int west = before(x, nx);
  const int east = x + cells < nx ? x + cells : 0;
  real s[19][cells];
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    const size_t from = at(i, 0, stepped(y, -d3q19_cy[i], ny), stepped(z, -d3q19_cz[i], nz), ny, nz, pitch);
    vector v = load_vector(f_temp, from + x);
    if (d3q19_cx[i] > 0) v = moved_east(load_distance(f_temp, from + west), v);
    const real entering = d3q19_cx[i] < 0 ? load_distance(f_temp, from + east) : 0;
    if (d3q19_cx[i] < 0) v = moved_west(v, entering);
    JOIN(vstore, cells)(v, 0, s[i]);
#pragma unroll
    for (int k = 0; k < cells - 1; ++k)
      if (d3q19_cx[i] < 0 && x + k == nx - 1) s[i][k] = entering;
  }
#pragma unroll
  for (int k = 0; k < cells; ++k) {
    real site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = s[i][k];
    d3q19_collide(site, omega, omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      s[i][k] = site[i];
  }

  if (fluid == (1u << cells) - 1) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      store_vector(f, at(i, x, y, z, ny, nz, pitch), JOIN(vload, cells)(0, s[i]));
  } else {
#pragma unroll
    for (int k = 0; k < cells; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if ((fluid >> k & 1) != 0) store_distance(f, at(i, x + k, y, z, ny, nz, pitch), s[i][k]);
  }
#pragma unroll 1
  for (int k = 0; k < cells && near >> k != 0; ++k) {
    if ((near >> k & 1) == 0) continue;
    real site[19]; /* just written: indexing with k would move s from registers to memory */
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = load_distance(f, at(i, x + k, y, z, ny, nz, pitch));
#pragma unroll
    for (int i = 1; i < 19; ++i) {
      const int kind = flags[neighbour(i, cell + k, x + k, y, z, nx, ny, nz)];
      if ((kind & D3Q19_FLUID) != 0) continue;
      const size_t beyond = at(d3q19_opposite[i], stepped(x + k, d3q19_cx[i], nx), stepped(y, d3q19_cy[i], ny),
                               stepped(z, d3q19_cz[i], nz), ny, nz, pitch);
      store_distance(f, beyond, d3q19_returned(site, i, kind, speed));
    }
  }
}
