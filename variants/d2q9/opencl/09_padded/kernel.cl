// Idea:    padded rows: every row starts at a whole cache line, for any grid width; the update becomes a function
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies; speeds[step][group], not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section X (data aligned to cache lines); NVIDIA OpenCL Best Practices Guide, coalesced access
// Bound:   memory bandwidth on a GPU; gathers on a CPU, since wrapped neighbours are not contiguous in memory

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Return the western and the eastern neighbour of cell x of a row, which wraps around; inlined early, for the same reason. */
__attribute__((always_inline)) real from_west(global const real* row, int x, int nx) { return row[before(x, nx)]; }
__attribute__((always_inline)) real from_east(global const real* row, int x, int nx) { return row[after(x, nx)]; }

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int ny, int pitch) { return ((size_t)i * ny + y) * pitch + x; }

/* Advances cell (x, y) from f to g and returns its |u|, or 0 if it is solid. `driven` is the row to accelerate. */
__attribute__((always_inline)) real update(global const real* f, global real* g, int x, int y, int driven,
                                           global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  const int south = before(y, ny);
  const int north = after(y, ny);
  real s[9];
  s[0] = f[at(0, x, y, ny, pitch)];
  s[1] = from_west(f + at(1, 0, y, ny, pitch), x, nx);
  s[2] = f[at(2, x, south, ny, pitch)];
  s[3] = from_east(f + at(3, 0, y, ny, pitch), x, nx);
  s[4] = f[at(4, x, north, ny, pitch)];
  s[5] = from_west(f + at(5, 0, south, ny, pitch), x, nx);
  s[6] = from_east(f + at(6, 0, south, ny, pitch), x, nx);
  s[7] = from_east(f + at(7, 0, north, ny, pitch), x, nx);
  s[8] = from_west(f + at(8, 0, north, ny, pitch), x, nx);

  const int wall = solid[at(0, x, y, ny, pitch)];
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, omega);
  if (y == driven) drive(s, wall, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, ny, pitch)] = wall == 0 ? s[i] : rebounded[i];
  return wall == 0 ? sqrt(u2) : 0;
}

/* Advances f to g; speeds[first + group] = sum of |u| over the fluid cells of a work-group. The row `driven` (-1 for none) is
 * accelerated for the next step. */
kernel work_group void timestep(global const real* f, global real* g, global real* speeds, ulong first, int driven,
                                global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real parts[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny) speed = update(f, g, x, y, driven, solid, nx, ny, pitch, omega, w1, w2);
  const real sum = group_sum(parts, speed);
  if (is_first_item()) speeds[first + group_number()] = sum;
}
