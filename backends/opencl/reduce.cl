/* totals[step] = sum of sums[step][0..groups), one work-group per step. Each work-item adds with compensation (Kahan), so
 * that large grids lose no terms, and 32 elements at a time, so that their loads do not wait for each other. */
kernel work_group void reduce(global const real* sums, global real* totals, ulong groups) {
  local real parts[wx * wy];
  const size_t step = get_group_id(1);
  real total = 0;
  real lost = 0;
  for (size_t begin = get_local_id(1) * wx + get_local_id(0); begin < groups; begin += 32 * wx * wy) {
    real term = 0;
#pragma unroll
    for (size_t k = 0; k < 32; ++k)
      term += begin + k * wx * wy < groups ? sums[step * groups + begin + k * wx * wy] : 0;
    term -= lost;
    const real sum = total + term;
    lost = (sum - total) - term;
    total = sum;
  }
  const real sum = group_sum(parts, total);
  if (is_first_item()) totals[step] = sum;
}
