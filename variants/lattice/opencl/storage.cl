/* Element n of a lattice f of type `stored`: a distance from rest (storage.hpp). All devices can read and write halves; kernels
 * compute in other types. */
#if stored_is_half
#define load_distance(f, n) (vload_half(n, (global const half*)(f)) * (1 / 32768.0f))
#define store_distance(f, n, value) vstore_half_rte((value)*32768, n, (global half*)(f))
#else
#define load_distance(f, n) ((f)[n])
#define store_distance(f, n, value) ((f)[n] = (value))
#endif
