/* The populations that leave a cell with coefficients k[10] (collide.h), and sums over those that arrive. Directions are macro
 * arguments: literal numbers x, y and z, so that conditions on them cost nothing. */

/* sum + sign * value for a sign of -1, 0 or 1. */
#define plus(sign, sum, value) ((sign) > 0 ? (sum) + (value) : (sign) < 0 ? (sum) - (value) : (sum))

/* value * the weight of a direction relative to that of an edge. */
#define axes_of(x, y, z) ((x) * (x) + (y) * (y) + (z) * (z))
#define weighted(x, y, z, value)                        \
  (axes_of(x, y, z) == 0   ? (real)rest_ratio * (value) \
   : axes_of(x, y, z) == 1 ? (real)face_ratio * (value) \
   : axes_of(x, y, z) == 2 ? (value)                    \
                           : (real)corner_ratio * (value))

/* Even and odd parts of the quadratic polynomial. (x, y, z) is the direction of its pair that points up, or else east, or else
 * north. The sign of x (or y) is factored out of the terms in x and y, so that several pairs share them. */
#define first_of(x, y) ((x) != 0 ? (x) : (y))
#define along(k, x, y) ((x) != 0 ? plus((x) * (y), k[1], k[2]) : k[2])
#define across(k, x, y) ((x) != 0 ? plus((x) * (y), k[8], k[9]) : k[9])
#define squares(k, x, y, z) plus((z) * (z), plus((y) * (y), plus((x) * (x), k[0], k[4]), k[5]), k[6])
#define even_part(k, x, y, z) plus((z)*first_of(x, y), plus((x) * (y), squares(k, x, y, z), k[7]), across(k, x, y))
#define odd_part(k, x, y, z) ((z) == 0 ? along(k, x, y) : plus(first_of(x, y), k[3], along(k, x, y)))

/* The population that leaves in direction (x, y, z), which must point up, or else east, or else north, and its opposite. */
#define one_of(k, x, y, z) weighted(x, y, z, even_part(k, x, y, z) + odd_part(k, x, y, z))
#define opposite_of(k, x, y, z) weighted(x, y, z, even_part(k, x, y, z) - odd_part(k, x, y, z))

/* Sums over the populations that arrive from one plane, with the factors 1, cx, cy, cx^2, cy^2 and cx cy. */
struct plane_sums {
  real all, x, y, xx, yy, xy;
};

/* The sums without and with the diagonal directions of the plane. */
struct plane_sums sums_of_five(real rest, real east, real west, real north, real south) {
  struct plane_sums sums;
  sums.xx = east + west;
  sums.yy = north + south;
  sums.all = rest + sums.xx + sums.yy;
  sums.x = east - west;
  sums.y = north - south;
  sums.xy = 0;
  return sums;
}
struct plane_sums sums_of_nine(real rest, real east, real west, real north, real south, real north_east, real south_west,
                               real south_east, real north_west) {
  struct plane_sums sums = sums_of_five(rest, east, west, north, south);
  const real rising = north_east + south_west, falling = south_east + north_west;
  const real up = north_east - south_west, down = south_east - north_west;
  sums.xy = rising - falling;
  sums.all += rising + falling;
  sums.xx += rising + falling;
  sums.yy += rising + falling;
  sums.x += up + down;
  sums.y += up - down;
  return sums;
}

struct plane_sums both(struct plane_sums level, struct plane_sums up) {
  struct plane_sums sums;
  sums.all = level.all + up.all;
  sums.x = level.x + up.x;
  sums.y = level.y + up.y;
  sums.xx = level.xx + up.xx;
  sums.yy = level.yy + up.yy;
  sums.xy = level.xy + up.xy;
  return sums;
}

/* Computes the sums s[10] for the collision from those over the populations that move up, that move up or stay level, and that
 * move down. */
void sums_of_cell(struct plane_sums up, struct plane_sums up_and_level, struct plane_sums down, real* s) {
  const struct plane_sums all = both(up_and_level, down);
  s[0] = all.all;
  s[1] = all.x;
  s[2] = all.y;
  s[3] = up.all - down.all;
  s[4] = all.xx;
  s[5] = all.yy;
  s[6] = up.all + down.all;
  s[7] = all.xy;
  s[8] = up.x - down.x;
  s[9] = up.y - down.y;
}

/* The sums for a column of cells, whose populations arrive plane by plane. */
struct arrivals {
  struct plane_sums cell;       /* of the last cell, whose downward populations are missing */
  struct plane_sums from_below; /* the part of `cell` that moved up */
  struct plane_sums going_up;   /* populations that leave the last plane upward */
};

/* Adds the populations that left plane z, and sets s[10] to the sums of the cell in plane z - 1, which they complete. */
void arrive(struct arrivals* column, struct plane_sums down, struct plane_sums level, struct plane_sums up, real* s) {
  sums_of_cell(column->from_below, column->cell, down, s);
  column->cell = both(level, column->going_up);
  column->from_below = column->going_up;
  column->going_up = up;
}

/* Load and store the coefficients of a cell, which are `array` elements apart. */
void load_cell(global const real* cell, size_t array, real* k) {
#pragma unroll
  for (int n = 0; n < 10; ++n)
    k[n] = cell[n * array];
}
void store_cell(global real* cell, size_t array, const real* k) {
#pragma unroll
  for (int n = 0; n < 10; ++n)
    cell[n * array] = k[n];
}

/* Streams and collides, one work-item per cell, which expands the coefficients of its neighbours. Rows are `pitch` elements
 * apart. */
kernel work_group void update(global const real* from, global real* to, int nx, int ny, int nz, int pitch, real keep, real gain,
                              real edge) {
  const uint number = get_global_id(0);
  const int x = number % nx, y = number / nx % ny, z = number / nx / ny;
  if (z >= nz) return;
  const int from_x[3] = {after(x, nx), x, before(x, nx)};
  const int from_y[3] = {after(y, ny), y, before(y, ny)};
  const int from_z[3] = {after(z, nz), z, before(z, nz)};
  const size_t array = (size_t)pitch * ny * nz;
  real k[10];
#define take(cx, cy, cz) \
  load_cell(from + ((size_t)from_z[1 + (cz)] * ny + from_y[1 + (cy)]) * pitch + from_x[1 + (cx)], array, k)
#define one(name, x, y, z) \
  take(x, y, z);           \
  const real name = one_of(k, x, y, z)
#define opposite(name, x, y, z) \
  take(-(x), -(y), -(z));       \
  const real name = opposite_of(k, x, y, z)
  take(0, 0, 0);
  const real rest = weighted(0, 0, 0, k[0]);
  one(east, 1, 0, 0);
  opposite(west, 1, 0, 0);
  one(north, 0, 1, 0);
  opposite(south, 0, 1, 0);
  one(north_east, 1, 1, 0);
  opposite(south_west, 1, 1, 0);
  one(south_east, 1, -1, 0);
  opposite(north_west, 1, -1, 0);
  const struct plane_sums level = sums_of_nine(rest, east, west, north, south, north_east, south_west, south_east, north_west);
  one(up, 0, 0, 1);
  one(up_east, 1, 0, 1);
  one(up_west, -1, 0, 1);
  one(up_north, 0, 1, 1);
  one(up_south, 0, -1, 1);
  opposite(down, 0, 0, 1);
  opposite(down_east, -1, 0, 1);
  opposite(down_west, 1, 0, 1);
  opposite(down_north, 0, -1, 1);
  opposite(down_south, 0, 1, 1);
#if has_corners
  one(up_north_east, 1, 1, 1);
  one(up_south_west, -1, -1, 1);
  one(up_south_east, 1, -1, 1);
  one(up_north_west, -1, 1, 1);
  opposite(down_north_east, -1, -1, 1);
  opposite(down_south_west, 1, 1, 1);
  opposite(down_south_east, -1, 1, 1);
  opposite(down_north_west, 1, -1, 1);
  const struct plane_sums all_up =
      sums_of_nine(up, up_east, up_west, up_north, up_south, up_north_east, up_south_west, up_south_east, up_north_west);
  const struct plane_sums all_down = sums_of_nine(down, down_east, down_west, down_north, down_south, down_north_east,
                                                  down_south_west, down_south_east, down_north_west);
#else
  const struct plane_sums all_up = sums_of_five(up, up_east, up_west, up_north, up_south);
  const struct plane_sums all_down = sums_of_five(down, down_east, down_west, down_north, down_south);
#endif
#undef take
#undef one
#undef opposite
  real s[10];
  sums_of_cell(all_up, both(level, all_up), all_down, s);
  regularized_collide(s, k, keep, gain, edge);
  store_cell(to + ((size_t)z * ny + y) * pitch + x, array, k);
}
