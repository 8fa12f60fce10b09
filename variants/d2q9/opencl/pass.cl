/* The place of column or row n, which may be any number, in a periodic grid. */
int wrapped(int n, int size) {
  const int rest = n % size;
  return rest < 0 ? rest + size : rest;
}

/* Exchanges two numbers. */
__attribute__((always_inline)) void swap(real* a, real* b) {
  const real c = *a;
  *a = *b;
  *b = c;
}
