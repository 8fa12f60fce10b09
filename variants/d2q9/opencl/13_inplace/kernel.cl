// Idea:    in place (AA pattern): the same work-item reads and writes a location; even steps fetch, odd steps are local
// Layout:  structure of arrays, f[9][y][x], one copy of the lattice; speeds[step][group], not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launches on small grids

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return ((size_t)i * ny + y) * nx + x; }

constant int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/* Returns the indices of the populations that move into cell (x, y). An even step finds populations in their own slots, and
 * fetches them from the neighbours; an `odd` step finds them where they move to, in the slot of the opposite direction. The
 * population that leaves the cell in direction i goes to the location of direction opposite[i]: no other work-item reads or
 * writes it in this step. */
void find_places(size_t* places, int odd, int x, int y, int nx, int ny) {
  const int west = before(x, nx);
  const int east = after(x, nx);
  const int south = before(y, ny);
  const int north = after(y, ny);
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

/* Advances f by one step, after an even or `odd` number of steps; speeds[first + group] = sum of |u| over the fluid cells of a
 * work-group. The row `driven` (-1 for none) is accelerated for the next step. */
kernel work_group void timestep(global real* f, int odd, global real* speeds, ulong first, int driven,
                                global const uchar* solid, int nx, int ny, real omega, real w1, real w2) {
  local real parts[wx * wy];
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
    const bool drive = y == driven && fluid && d2q9_can_drive(s, w1, w2);
    const real along[9] = {0, w1, 0, -w1, 0, w2, -w2, -w2, w2};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[places[opposite[i]]] = s[i];
  }
  const real sum = group_sum(parts, speed);
  if (is_first_item()) speeds[first + group_number()] = sum;
}
