/* Returns column or row n wrapped into the periodic grid; n may be any integer. */
int wrapped(int n, int size) {
  const int rest = n % size;
  return rest < 0 ? rest + size : rest;
}

/* Swaps two values. */
__attribute__((always_inline)) void swap(real* a, real* b) {
  const real c = *a;
  *a = *b;
  *b = c;
}
