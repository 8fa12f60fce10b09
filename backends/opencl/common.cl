/* Kernels are compiled for work-groups of wx x wy work-items. */
#define work_group __attribute__((reqd_work_group_size(wx, wy, 1)))

/* Sum of `value` over the work-group, valid in its first work-item: a tree in local memory, halved at each barrier. Every
 * work-item must call it; `parts` has wx * wy elements. */
real group_sum(local real* parts, real value) {
  const int item = get_local_id(1) * wx + get_local_id(0);
  parts[item] = value;
  for (int half_size = wx * wy / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) parts[item] += parts[item + half_size];
  }
  return parts[item];
}
bool is_first_item(void) { return get_local_id(0) == 0 && get_local_id(1) == 0; }

/* Index of this work-group. */
size_t group_number(void) { return get_group_id(1) * get_num_groups(0) + get_group_id(0); }

/* Neighbours of cell n along a periodic axis of `size` cells. They are macros because functions, even inlined ones, change the
 * code that PoCL generates. */
#define before(n, size) ((n) > 0 ? (n)-1 : (size)-1)
#define after(n, size) ((n) < (size)-1 ? (n) + 1 : 0)
