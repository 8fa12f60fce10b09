// Idea:    in place (AA pattern): each place is read and written by the same work-item; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[9][y][x], one lattice; speeds[step][group] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launches of small grids

/* Loops over directions are unrolled: one left inside a work-item keeps a CPU's compiler from making vectors of work-items. */

/* Where population i of cell (x, y) lies. */
size_t at(int i, int x, int y, int nx, int ny) { return ((size_t)i * ny + y) * nx + x; }

/* Directions turned round. */
constant int turned[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/* Places of the populations that move into cell (x, y). Populations of an even step lie in their own place, and are fetched
 * from the neighbours; those of an `odd` one lie where they move to, in the place of the opposite direction. What leaves the
 * cell by direction i goes to the place of direction turned[i]: no other work-item reads or writes it in this step. */
void find_places(size_t* places, int odd, int x, int y, int nx, int ny) {
  const int west = x > 0 ? x - 1 : nx - 1;
  const int east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  places[0] = at(0, x, y, nx, ny);
  places[1] = odd ? at(3, x, y, nx, ny) : at(1, west, y, nx, ny);
  places[2] = odd ? at(4, x, y, nx, ny) : at(2, x, south, nx, ny);
  places[3] = odd ? at(1, x, y, nx, ny) : at(3, east, y, nx, ny);
  places[4] = odd ? at(2, x, y, nx, ny) : at(4, x, north, nx, ny);
  places[5] = odd ? at(7, x, y, nx, ny) : at(5, west, south, nx, ny);
  places[6] = odd ? at(8, x, y, nx, ny) : at(6, east, south, nx, ny);
  places[7] = odd ? at(5, x, y, nx, ny) : at(7, east, north, nx, ny);
  places[8] = odd ? at(6, x, y, nx, ny) : at(8, west, north, nx, ny);
}

/* Drives the row ny - 2, for the work-groups of the first row, before a step that is `odd` or not. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void accelerate(global real* f, int odd, global const uchar* solid,
                                                                        int nx, int ny, real w1, real w2) {
  const int y = ny - 2;
  const int x = get_global_id(0);
  if (x >= nx || get_global_id(1) > 0) return;
  if (solid[(size_t)y * nx + x]) return;
  size_t left[9];
  find_places(left, !odd, x, y, nx, ny);
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[left[turned[i]]];
  d2q9_accelerate(s, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[left[turned[i]]] = s[i];
}

/* Sum of `value` over the work-group, for its first work-item: a tree in local memory, halved at each barrier. */
real group_sum(local real* sums, real value) {
  const int item = get_local_id(1) * wx + get_local_id(0);
  sums[item] = value;
  for (int half_size = wx * wy / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) sums[item] += sums[item + half_size];
  }
  return sums[item];
}

/* Advances f by one step, which is `odd` or not; speeds[first + group] = sum of |u| over the fluid cells of a work-group. The
 * row `driven` (-1: none) is driven for the step to come. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void timestep(global real* f, int odd, global real* speeds, ulong first,
                                                                      int driven, global const uchar* solid, int nx, int ny,
                                                                      real omega, real w1, real w2) {
  local real sums[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny) {
    size_t places[9];
    find_places(places, odd, x, y, nx, ny);
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = f[places[i]];

    const bool fluid = !solid[(size_t)y * nx + x];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, omega);
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - w1 > 0 && s[6] - w2 > 0 && s[7] - w2 > 0;
    const real along[9] = {0, w1, 0, -w1, 0, w2, -w2, -w2, w2};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[places[turned[i]]] = s[i];
  }
  const real sum = group_sum(sums, speed);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) speeds[first + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum;
}

/* totals[step] = sum of speeds[step][0..groups), one work-group a step. Each work-item adds up with compensation (Kahan), so
 * that large grids lose no terms, and 32 numbers at a time, whose loads do not wait for each other. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void reduce(global const real* speeds, global real* totals,
                                                                    ulong groups) {
  local real sums[wx * wy];
  const size_t step = get_group_id(1);
  real total = 0;
  real lost = 0;
  for (size_t begin = get_local_id(1) * wx + get_local_id(0); begin < groups; begin += 32 * wx * wy) {
    real term = 0;
#pragma unroll
    for (size_t k = 0; k < 32; ++k)
      term += begin + k * wx * wy < groups ? speeds[step * groups + begin + k * wx * wy] : 0;
    term -= lost;
    const real sum = total + term;
    lost = (sum - total) - term;
    total = sum;
  }
  const real sum = group_sum(sums, total);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) totals[step] = sum;
}
