// Idea:    non-temporal stores: if the lattice exceeds the device's cache, lines are written without being fetched
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies; speeds[step][group], not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Wellein, Zeiser, Hager, Donath, Comput. Fluids 35 (2006) 910; Waugh, section XI
// Bound:   memory bandwidth

/* Loops over directions are unrolled and functions that read the lattice are inlined early: otherwise a CPU compiler neither
 * vectorizes across work-items nor keeps a site in registers. */

/* Rows are padded to whole vectors and cache lines, so a vector never straddles two lines. */
#define store_once(v, p) store(v, p)
#if bypass_cache && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#undef store_once
#define store_once(v, p) __builtin_nontemporal_store(v, (global lanes*)(p))
#endif
#endif

constant int lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Returns the western neighbours of cells x, x + 1, … of a row; for cell 0, the last cell. */
__attribute__((always_inline)) lanes from_west(global const real* row, int x, int nx) {
  const lanes f = load(row + x - 1);
  if (x > 0) return f;
  return to_integers(load(lane_numbers)) == 0 ? (lanes)row[nx - 1] : f;
}

/* Returns the eastern neighbours of cells x, x + 1, … of a row; for the last cell, cell 0. */
__attribute__((always_inline)) lanes from_east(global const real* row, int x, int nx) {
  const lanes f = load(row + x + 1);
  if (x + width < nx) return f;
  return to_integers(load(lane_numbers)) == nx - 1 - x ? (lanes)row[0] : f;
}

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int ny, int pitch) { return ((size_t)i * ny + y) * pitch + x; }

/* Advances cells x, x + 1, … of row y from f to g and returns their |u|, 0 where solid. The row `driven` is accelerated for the
 * next step. */
__attribute__((always_inline)) lanes update(global const real* f, global real* g, int x, int y, int driven,
                                            global const uchar* solid, int nx, int ny, int pitch, real omega, real w1,
                                            real w2) {
  const int south = before(y, ny);
  const int north = after(y, ny);
  lanes s[9];
  s[0] = load(f + at(0, x, y, ny, pitch));
  s[1] = from_west(f + at(1, 0, y, ny, pitch), x, nx);
  s[2] = load(f + at(2, x, south, ny, pitch));
  s[3] = from_east(f + at(3, 0, y, ny, pitch), x, nx);
  s[4] = load(f + at(4, x, north, ny, pitch));
  s[5] = from_west(f + at(5, 0, south, ny, pitch), x, nx);
  s[6] = from_east(f + at(6, 0, south, ny, pitch), x, nx);
  s[7] = from_east(f + at(7, 0, north, ny, pitch), x, nx);
  s[8] = from_west(f + at(8, 0, north, ny, pitch), x, nx);

  const integers wall = to_integers(load(solid + at(0, x, y, ny, pitch)));
  const lanes rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const lanes u2 = d2q9_collide(s, omega);
  if (y == driven) drive(s, wall, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    store_once(wall == 0 ? s[i] : rebounded[i], g + at(i, x, y, ny, pitch));
  return wall == 0 ? sqrt(u2) : (lanes)0;
}

/* Advances f to g; speeds[first + group] = sum of |u| over the fluid cells of a work-group. The row `driven` (-1 for none) is
 * accelerated for the next step. */
kernel work_group void timestep(global const real* f, global real* g, global real* speeds, ulong first, int driven,
                                global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real parts[wx * wy];
  const size_t begin = strip * get_global_id(0);
  const int y = get_global_id(1);
  lanes speed = 0;
  for (size_t x = begin; x < begin + strip && x < nx && y < ny; x += width)
    speed += update(f, g, x, y, driven, solid, nx, ny, pitch, omega, w1, w2);
  const real sum = group_sum(parts, sum_of(speed));
  if (is_first_item()) speeds[first + group_number()] = sum;
}
