/* `lanes` is a vector of `width` elements, and `integers` the result of comparing two. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if width > 1
#define load(p) JOIN(vload, width)(0, p)
#define store(v, p) JOIN(vstore, width)(v, 0, p)
#else
#define load(p) (*(p))
#define store(v, p) (*(p) = (v))
#endif
#define to_integers JOIN(convert_, integers)

/* Sum of the elements of a vector. */
real sum_of(lanes v) {
  real parts[width];
  store(v, parts);
  real sum = 0;
  for (int i = 0; i < width; ++i)
    sum += parts[i];
  return sum;
}
