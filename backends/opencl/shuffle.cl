/* shuffled(x, item) is x of work-item `item` of the same sub-group. All work-items of the sub-group must call it. */
#if shuffles_by_ptx
uint shuffled_word(uint x, int item) {
  uint y;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, -1;" : "=r"(y) : "r"(x), "r"(item));
  return y;
}
#if number_bytes == 8
real shuffled(real x, int item) {
  const uint2 words = as_uint2(x);
  return as_double((uint2)(shuffled_word(words.s0, item), shuffled_word(words.s1, item)));
}
#else
real shuffled(real x, int item) { return as_float(shuffled_word(as_uint(x), item)); }
#endif
#else
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
real shuffled(real x, int item) { return sub_group_shuffle(x, (uint)item); }
#endif
