// Idea:    values stay packed: in f16, a work-item keeps vectors as stored and converts one cell's values before its collision
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: 19 values and a flag read, 19 values written; next to a boundary, the returned populations written and, if it
//          is not flat, 18 more flags read
// Source:  this project, as variants/d3q19/cuda/row_cells.hpp
// Bound:   address arithmetic: d3q19/opencl/08_offsets moves the same bytes in less time

/* A vector has `elements` elements. Each is one value or, in f16, a word that holds two, because compilers use a register per
 * element. The first value of a pair is in the lower half. */
#if stored_is_half
#define element uint
#else
#define element real
#endif

/* The first element of v; v shifted by one element, with `entering` in the vacated position. */
#if elements == 1
#define vector element
#define first_element(v) (v)
#define elements_east(entering, v) (entering)
#define elements_west(v, entering) (entering)
#else
#define vector JOIN(element, elements)
#define first_element(v) ((v).s0)
#endif
#if elements == 2
#define elements_east(entering, v) ((vector)(entering, (v).s0))
#define elements_west(v, entering) ((vector)((v).s1, entering))
#elif elements == 4
#define elements_east(entering, v) ((vector)(entering, (v).s012))
#define elements_west(v, entering) ((vector)((v).s123, entering))
#elif elements == 8
#define elements_east(entering, v) ((vector)(entering, (v).s0123, (v).s456))
#define elements_west(v, entering) ((vector)((v).s123, (v).s4567, entering))
#endif

/* The first value of v; v shifted by one cell, with the value `entering` in the vacated position; conversions between stored
 * values and distances from rest, as in storage.cl. */
#if stored_is_half
#define first(v) ((ushort)first_element(v))
#define moved_east(entering, v) ((v) << 16 | elements_east((uint)(entering) << 16, v) >> 16)
#define moved_west(v, entering) ((v) >> 16 | elements_west(v, (uint)(entering)) << 16)
float unpacked(ushort value) { return vload_half(0, (const half*)&value) * (1 / 32768.0f); }
ushort packed(float distance) {
  ushort value;
  vstore_half_rte(distance * 32768, 0, (half*)&value);
  return value;
}
#else
#define first(v) first_element(v)
#define moved_east(entering, v) elements_east(entering, v)
#define moved_west(v, entering) elements_west(v, entering)
#define unpacked(value) (value)
#define packed(distance) (distance)
#endif

/* Loads or stores the aligned vector of `cells` values that starts at f[n]. */
#define stored_vector JOIN(stored, cells)
#define load_vector(f, n) JOIN(as_, vector)(*(global const stored_vector*)((f) + (n)))
#define store_vector(f, n, v) (*(global stored_vector*)((f) + (n)) = JOIN(as_, stored_vector)(v))

/* A word that holds the flags of a vector's cells, one per byte; in_all() repeats one flag in every byte. */
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
  vector s[19];
  stored beyond_row[19];
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    const size_t from = at(i, 0, stepped(y, -d3q19_cy[i], ny), stepped(z, -d3q19_cz[i], nz), ny, nz, pitch);
    s[i] = load_vector(f_temp, from + x);
    if (d3q19_cx[i] > 0) s[i] = moved_east(f_temp[from + west], s[i]);
    beyond_row[i] = d3q19_cx[i] < 0 ? f_temp[from + east] : 0;
    if (d3q19_cx[i] < 0) s[i] = moved_west(s[i], beyond_row[i]);
  }
  /* Takes each cell's old values from the front of the vectors and appends its new ones at the back. In f16, the loop is not
   * unrolled, so that the compiler does not convert several cells at once. */
#if stored_is_half
#pragma unroll 1
#else
#pragma unroll
#endif
  for (int k = 0; k < cells; ++k) {
    real site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = unpacked(d3q19_cx[i] < 0 && x + k == nx - 1 ? beyond_row[i] : first(s[i]));
    d3q19_collide(site, omega, omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      s[i] = moved_west(s[i], packed(site[i]));
  }

  if (fluid == in_all(D3Q19_FLUID)) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      store_vector(f, at(i, x, y, z, ny, nz, pitch), s[i]);
    if (all == in_all(D3Q19_FLUID)) return;
  } else {
#pragma unroll 1
    for (int k = 0; k < cells; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i) {
        if ((fluid >> 8 * k & D3Q19_FLUID) != 0) f[at(i, x + k, y, z, ny, nz, pitch)] = first(s[i]);
        s[i] = moved_west(s[i], 0);
      }
  }
#pragma unroll 1
  for (int k = 0; k < cells; ++k) {
    const uint flag = (uint)(all >> 8 * k) & 0xff;
    if ((flag & D3Q19_NEAR) == 0) continue;
    /* Reloads the populations just written: indexing s with k would move s from registers to memory. */
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
