// Idea:    flat boundaries: a cell's flag names the five directions that lead to one, and the boundary's kind
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; next to a boundary, the returned populations written and, if it
//          is not flat, 18 more flags read
// Source:  this project, as d3q19/cuda/23_faces
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

/* The flags of a vector as the bytes of one word, and one flag repeated in each byte. */
#if cells == 2
typedef ushort word;
#elif cells == 4
typedef uint word;
#else
typedef ulong word;
#endif
#define in_all(flag) ((word)(0x0101010101010101ul * (flag)))

/* Location of population i of cell (x, y, z). Rows are `pitch` elements apart and start at a cache line. */
size_t at(int i, int x, int y, int z, int ny, int nz, int pitch) { return (((size_t)i * nz + z) * ny + y) * pitch + x; }

/* Location of the population that comes back after population i has left cell (x, y, z). */
#define beyond(i, x, y, z, nx, ny, nz, pitch) \
  at(d3q19_opposite[i], stepped(x, d3q19_cx[i], nx), stepped(y, d3q19_cy[i], ny), stepped(z, d3q19_cz[i], nz), ny, nz, pitch)

/* Directions that lead through each face (flags_with_faces()). */
constant uchar through[6][5] = {{2, 8, 10, 12, 14}, {1, 7, 9, 11, 13},   {4, 8, 9, 16, 18},
                                {3, 7, 10, 15, 17}, {6, 12, 13, 16, 17}, {5, 11, 14, 15, 18}};

/* One step, one work-item per vector: f_temp is streamed, relaxed and stored in f. Cells that are not fluid are not stored. */
kernel work_group void run_lbm(global const stored* f_temp, global stored* f, global const uchar* flags, int nx, int ny, int nz,
                               global const uchar* padded_flags, int pitch, real omega, real omega_minus, real speed) {
  const uint vectors = (nx + cells - 1) / cells;
  const uint row = (uint)get_global_id(0) / vectors;
  if (row >= (uint)ny * nz) return;
  const int x = (uint)get_global_id(0) % vectors * cells;
  const int y = row % ny;
  const int z = row / ny;
  const uint cell = row * nx + x;
  const word all = *(global const word*)(padded_flags + (size_t)row * pitch + x); /* byte k refers to cell k */
  const word fluid = all & in_all(D3Q19_FLUID);
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

  if (fluid == in_all(D3Q19_FLUID)) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      store_vector(f, at(i, x, y, z, ny, nz, pitch), JOIN(vload, cells)(0, s[i]));
    if (all == in_all(D3Q19_FLUID)) return;
  } else {
#pragma unroll
    for (int k = 0; k < cells; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if ((fluid >> 8 * k & D3Q19_FLUID) != 0) store_distance(f, at(i, x + k, y, z, ny, nz, pitch), s[i][k]);
  }
#pragma unroll 1
  for (int k = 0; k < cells; ++k) {
    const uint flag = (uint)(all >> 8 * k) & 0xff;
    if ((flag & D3Q19_NEAR) == 0) continue;
    /* Populations just written: indexing s with k would move it from registers to memory. */
    real site[19];
    real u[3] = {0, 0, 0};
    const uint face = flag >> face_shift;
    if (face == 0 || (flag & D3Q19_PRESSURE) != 0) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        site[i] = load_distance(f, at(i, x + k, y, z, ny, nz, pitch));
      d3q19_velocity(site, u);
    }
    if (face != 0) {
      /* left comes back as sign * left + weight * (constant_part + (linear + square * c.u) * c.u): d3q19_returned_at(). */
      const bool open = (flag & D3Q19_PRESSURE) != 0;
      const real sign = open ? -1 : 1;
      const real constant_part = open ? -3 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) : 0;
      const real linear = open ? 0 : -6;
      const real square = open ? 9 : 0;
      if ((flag & D3Q19_VELOCITY) != 0) u[0] = speed;
      real left[5];
#pragma unroll
      for (int n = 0; n < 5; ++n)
        left[n] = load_distance(f, at(through[face - 1][n], x + k, y, z, ny, nz, pitch));
#pragma unroll
      for (int n = 0; n < 5; ++n) {
        const int i = through[face - 1][n];
        const real along = d3q19_cx[i] * u[0] + d3q19_cy[i] * u[1] + d3q19_cz[i] * u[2];
        store_distance(f, beyond(i, x + k, y, z, nx, ny, nz, pitch),
                       sign * left[n] + (real)D3Q19_WEIGHT(i) * (constant_part + (linear + square * along) * along));
      }
      continue;
    }
    int kinds[19];
#pragma unroll
    for (int i = 1; i < 19; ++i)
      kinds[i] = flags[neighbour(i, cell + k, x + k, y, z, nx, ny, nz)];
#pragma unroll
    for (int i = 1; i < 19; ++i)
      if ((kinds[i] & D3Q19_FLUID) == 0)
        store_distance(f, beyond(i, x + k, y, z, nx, ny, nz, pitch), d3q19_returned_at(site[i], i, kinds[i], speed, u));
  }
}
