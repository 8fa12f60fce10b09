/* Element n of a lattice f of type `stored`: a population whose direction has weight w (storage.hpp). All devices can read and
 * write halves; kernels compute in other types. */
#if stored_is_half
#define load_population(f, n, w) (vload_half(n, (global const half*)(f)) * (1 / 32768.0f) + (w))
#define store_population(f, n, w, value) vstore_half_rte(((value) - (w)) * 32768, n, (global half*)(f))
#else
#define load_population(f, n, w) ((f)[n])
#define store_population(f, n, w, value) ((f)[n] = (value))
#endif
