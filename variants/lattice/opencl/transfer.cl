/* Kernels on a state f of q populations per cell. `wide` is the type of sums. */

/* Where population i of cell number n lies, in a box with the corner (corner_x, corner_y, corner_z) and rows of side_x cells.
 */
#define place_in_box(i, n) \
  place(places, i, corner_x + (n) % side_x, corner_y + (n) / side_x % side_y, corner_z + (n) / side_x / side_y)

/* copy[i][k] = population i of cell first + k of a box, for k < count; one work-item per cell. */
kernel work_group void gather(global const real* f, global const long* places, int q, long corner_x, long corner_y,
                              long corner_z, long side_x, long side_y, long first, long count, global real* copy) {
  const long k = get_global_id(0);
  if (k >= count) return;
  for (int i = 0; i < q; ++i)
    copy[i * count + k] = f[place_in_box(i, first + k)];
}

/* The reverse. */
kernel work_group void scatter(global real* f, global const long* places, int q, long corner_x, long corner_y, long corner_z,
                               long side_x, long side_y, long first, long count, global const real* copy) {
  const long k = get_global_id(0);
  if (k >= count) return;
  for (int i = 0; i < q; ++i)
    f[place_in_box(i, first + k)] = copy[i * count + k];
}

/* Adds x to a sum; `lost` is what rounding has lost so far (Neumaier 1974). */
void add(wide* sum, wide* lost, wide x) {
  const wide total = *sum + x;
  *lost += fabs(*sum) >= fabs(x) ? (*sum - total) + x : (x - total) + *sum;
  *sum = total;
}

/* sums[group] = sum of all populations of consecutive cells, which the work-items of the group take in turn. A processor runs
 * one work-item after the other; the later ones find the cache lines of the first in the cache. */
kernel work_group void add_up(global const real* f, global const long* places, int q, global wide* sums) {
  local wide values[wx], losses[wx];
  const long nx = places[0], ny = places[1], cells = nx * ny * places[2];
  const int item = get_local_id(0);
  wide sum = 0;
  wide lost = 0;
  const long first = cells * get_group_id(0) / get_num_groups(0), last = cells * (get_group_id(0) + 1) / get_num_groups(0);
  for (long n = first + item; n < last; n += wx)
    for (int i = 0; i < q; ++i)
      add(&sum, &lost, f[place(places, i, n % nx, n / nx % ny, n / nx / ny)]);
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
