/* The ceiling kernels, for CPUs and GPUs alike. The following are defined when they are built:
 *
 *   real        float or double
 *   numbers     the vector of `real` that one work-item handles at once, e.g. float16; sizes and strides count these
 *   group_size  work-items in a work-group; 1 on a processor, where a work-group is a loop on one core
 *   block_size  `numbers` that a work-group handles, of each array, item after item
 *   chains      independent sums or products in a work-item
 *   arrays      Q of copy-Q
 *   put         put_plain or put_nt
 */
#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

void put_plain(global numbers* p, numbers value) { *p = value; }

#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define has_nontemporal_store
#endif
#endif
#if defined(has_nontemporal_store)
void put_nt(global numbers* p, numbers value) { __builtin_nontemporal_store(value, p); }
/* The host checks whether this kernel exists. NVIDIA's compiler cannot describe a kernel without parameters. */
kernel void has_put_nt(int unused) {}
#else
#define put_nt put_plain
#endif

#define work_group __attribute__((reqd_work_group_size(group_size, 1, 1)))

/* The part of an array that this work-item handles: for (i of mine). */
#define for_mine(i, size)                                                       \
  for (ulong i = get_group_id(0) * (ulong)block_size + get_local_id(0),         \
             end = min((get_group_id(0) + 1) * (ulong)block_size, (ulong)size); \
       i < end; i += group_size)

/* Element i of the input: between 1 and 2, in steps of 1/1024. */
real pattern(ulong i) { return 1 + (real)((i * 0x9E3779B97F4A7C15UL) >> 54) / 1024; }

/* a[at + i] = element first + i of the input, for i < size; all of them count elements here, not vectors. */
kernel work_group void fill(global real* a, ulong at, ulong first, ulong size) {
  for_mine(i, size) a[at + i] = pattern(first + i);
}

/* a[i] = 1 or 2, scattered. */
kernel work_group void fill_summands(global real* a, ulong size) { for_mine(i, size) a[i] = pattern(i) < (real)1.5 ? 1 : 2; }

/* Lowers `first` to the smallest i < size where a[at + i] differs from u times element first_u + i of the input plus v times
 * element first_v + i; NaN always differs. */
kernel work_group void compare(global const real* a, ulong at, ulong size, real u, ulong first_u, real v, ulong first_v,
                               global uint* first) {
  for_mine(i, size) {
    if (!(a[at + i] == u * pattern(first_u + i) + v * pattern(first_v + i))) {
      atomic_min(first, (uint)i);
      return;
    }
  }
}

/* STREAM. The result is named c; the second source, if there is one, b. */
kernel work_group void copy(global const numbers* a, global const numbers* b, global numbers* restrict c, ulong size) {
  for_mine(i, size) put(c + i, a[i]);
}
kernel work_group void scale(global const numbers* a, global const numbers* b, global numbers* restrict c, ulong size) {
  for_mine(i, size) put(c + i, (real)3 * a[i]);
}
kernel work_group void add(global const numbers* a, global const numbers* b, global numbers* restrict c, ulong size) {
  for_mine(i, size) put(c + i, a[i] + b[i]);
}
kernel work_group void triad(global const numbers* a, global const numbers* b, global numbers* restrict c, ulong size) {
  for_mine(i, size) put(c + i, a[i] + (real)3 * b[i]);
}

/* Array q of `from` to array q + 1 (mod Q) of `to`, for a block of sites. */
kernel work_group void copy_q(global const numbers* restrict from, global numbers* restrict to, ulong sites, ulong stride) {
#pragma unroll
  for (ulong q = 0; q < arrays; ++q)
    for_mine(i, sites) put(to + (q + 1) % arrays * stride + i, from[q * stride + i]);
}

/* sums[item][chain] = `repeats` times the sum of this work-item's part of `a`; each work-group has its own `part` vectors.
 * `none` is 0, which the compiler cannot know, so it has to read again. */
kernel work_group void read(global const numbers* a, ulong part, long repeats, long none, global numbers* sums) {
  numbers s[chains];
  for (int k = 0; k < chains; ++k)
    s[k] = 0;
  global const numbers* mine = a + get_group_id(0) * part + get_local_id(0);
  for (long r = 0; r < repeats; ++r) {
    for (ulong i = 0; i < part; i += group_size * chains)
#pragma unroll
      for (int k = 0; k < chains; ++k)
        s[k] += mine[i + k * group_size];
    mine += none;
  }
  for (int k = 0; k < chains; ++k)
    sums[get_global_id(0) * chains + k] = s[k];
}

/* The same, except that work-groups take turns to read all parts: each multiprocessor reads all of `a`, which its L1 cache
 * cannot hold. The next part is `next` parts further on. */
kernel work_group void read_in_turns(global const numbers* a, ulong part, long repeats, long next, global numbers* sums) {
  numbers s[chains];
  for (int k = 0; k < chains; ++k)
    s[k] = 0;
  ulong turn = get_group_id(0);
  for (long r = 0; r < repeats; ++r) {
    global const numbers* its = a + turn * part + get_local_id(0);
    for (ulong i = 0; i < part; i += group_size * chains)
#pragma unroll
      for (int k = 0; k < chains; ++k)
        s[k] += its[i + k * group_size];
    turn = (turn + next) % get_num_groups(0);
  }
  for (int k = 0; k < chains; ++k)
    sums[get_global_id(0) * chains + k] = s[k];
}

/* sums[item][chain] = `repeats` times the sum of what this work-item's chains read from the work-group's part of `a` in
 * local memory. `none` is 0, as above. */
kernel work_group void read_local(global const numbers* a, long repeats, int none, global numbers* sums) {
  local numbers part[group_size * chains];
  numbers s[chains];
  const int mine = get_local_id(0);
  for (int k = 0; k < chains; ++k) {
    part[mine + k * group_size] = a[get_group_id(0) * group_size * chains + mine + k * group_size];
    s[k] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = mine;
  for (long r = 0; r < repeats; ++r) {
#pragma unroll
    for (int k = 0; k < chains; ++k)
      s[k] += part[at + k * group_size];
    at += none;
  }
  for (int k = 0; k < chains; ++k)
    sums[get_global_id(0) * chains + k] = s[k];
}

/* x <- m x + c, 7 times `times`, for each chain of each work-item. */
kernel work_group void multiply_add(global numbers* x, long times, real m, real c) {
  numbers v[chains];
  for (int k = 0; k < chains; ++k)
    v[k] = x[get_global_id(0) * chains + k];
  for (long n = 0; n < times; ++n)
#pragma unroll
    for (int u = 0; u < 7; ++u)
#pragma unroll
      for (int k = 0; k < chains; ++k)
        v[k] = v[k] * m + c;
  for (int k = 0; k < chains; ++k)
    x[get_global_id(0) * chains + k] = v[k];
}

/* Does nothing; only its launches count. */
kernel void launch(global long* count) {
  if (get_global_id(0) == 0) ++*count;
}
