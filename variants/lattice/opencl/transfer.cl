/* Kernels on a state f with q populations per cell, stored as in storage.cl. `wide` is the type of sums. */

/* Whether cell (x, y, z) has a state: all cells do, or those that are 0 in solid[z][y][x]. */
#define has_state(x, y, z) (all_have_state || solid[(x) + places[0] * ((y) + places[1] * (z))] == 0)

/* Index of population i of cell n of a box with the corner (corner_x, corner_y, corner_z) and rows of side_x cells. */
#define place_in_box(i, n) \
  place(places, i, corner_x + (n) % side_x, corner_y + (n) / side_x % side_y, corner_z + (n) / side_x / side_y)
/* Whether cell n of the box has a state. */
#define has_state_in_box(n) \
  has_state(corner_x + (n) % side_x, corner_y + (n) / side_x % side_y, corner_z + (n) / side_x / side_y)

/* copy[i][k] = population i of cell first + k of a box, for k < count; 0 if that cell has no state. One work-item per cell. */
kernel work_group void gather(global const stored* f, global const long* places, global const uchar* solid, int q,
                              long corner_x, long corner_y, long corner_z, long side_x, long side_y, long first, long count,
                              global stored* copy) {
  const long k = get_global_id(0);
  if (k >= count) return;
  const bool is_read = has_state_in_box(first + k);
  for (int i = 0; i < q; ++i)
    copy[i * count + k] = is_read ? f[place_in_box(i, first + k)] : (stored)0;
}

/* The inverse of gather(). */
kernel work_group void scatter(global stored* f, global const long* places, global const uchar* solid, int q, long corner_x,
                               long corner_y, long corner_z, long side_x, long side_y, long first, long count,
                               global const stored* copy) {
  const long k = get_global_id(0);
  if (k >= count) return;
  if (!has_state_in_box(first + k)) return;
  for (int i = 0; i < q; ++i)
    f[place_in_box(i, first + k)] = copy[i * count + k];
}

/* Adds x to a sum; `lost` accumulates the rounding error (Neumaier 1974). */
void add(wide* sum, wide* lost, wide x) {
  const wide total = *sum + x;
  *lost += fabs(*sum) >= fabs(x) ? (*sum - total) + x : (x - total) + *sum;
  *sum = total;
}

/* sums[group] = sum of all distances from rest of consecutive cells that have a state; the group's work-items take turns at the
 * cells. A CPU runs one work-item after another; the later ones find the cache lines of the first in the cache. */
kernel work_group void add_up(global const stored* f, global const long* places, global const uchar* solid, int q,
                              global wide* sums) {
  local wide values[wx], losses[wx];
  const long nx = places[0], ny = places[1], cells = nx * ny * places[2];
  const int item = get_local_id(0);
  wide sum = 0;
  wide lost = 0;
  const long first = cells * get_group_id(0) / get_num_groups(0), last = cells * (get_group_id(0) + 1) / get_num_groups(0);
  for (long n = first + item; n < last; n += wx)
    for (int i = 0; i < q && has_state(n % nx, n / nx % ny, n / nx / ny); ++i)
      add(&sum, &lost, load_distance(f, place(places, i, n % nx, n / nx % ny, n / nx / ny)));
  values[item] = sum;
  losses[item] = lost;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item > 0) return;
  for (int k = 1; k < wx; ++k) {
    add(&sum, &lost, values[k]);
    lost += losses[k];
  }
  sums[get_group_id(0)] = sum + lost;
}
