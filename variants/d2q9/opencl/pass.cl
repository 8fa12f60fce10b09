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

/* Advances a cell, s, from the arriving populations to the leaving ones; cells of a `driven` row are accelerated. Returns |u|^2
 * if fluid. */
__attribute__((always_inline)) real update(real* s, bool fluid, bool driven, real omega, real w1, real w2) {
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] : rebounded[i];
  if (driven && fluid) d2q9_accelerate(s, w1, w2);
  return u2;
}

/* Moves the `cells` cells of a work-item, s[cell], along x: populations that move east come from the cell to the west, and vice
 * versa. Those that enter the strip from outside are wrong. */
__attribute__((always_inline)) void move_along_row(real (*s)[9], local real (*sent)[wx], int item) {
  const int west = before(item, wx);
  const int east = after(item, wx);
  sent[0][item] = s[cells - 1][1];
  sent[1][item] = s[cells - 1][5];
  sent[2][item] = s[cells - 1][8];
  sent[3][item] = s[0][3];
  sent[4][item] = s[0][6];
  sent[5][item] = s[0][7];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int j = 1; j < cells; ++j) {
    s[cells - j][1] = s[cells - j - 1][1];
    s[cells - j][5] = s[cells - j - 1][5];
    s[cells - j][8] = s[cells - j - 1][8];
    s[j - 1][3] = s[j][3];
    s[j - 1][6] = s[j][6];
    s[j - 1][7] = s[j][7];
  }
  s[0][1] = sent[0][west];
  s[0][5] = sent[1][west];
  s[0][8] = sent[2][west];
  s[cells - 1][3] = sent[3][east];
  s[cells - 1][6] = sent[4][east];
  s[cells - 1][7] = sent[5][east];
}

/* Moves s along y, from the populations that left a row to those that arrive in the row south of it. Populations that move
 * south have arrived; those that stay in their row wait for one row in `once`, those that move north for two, in `once` and
 * `twice`. */
__attribute__((always_inline)) void move_along_column(real* s, real* once, real* twice) {
  swap(once + 0, s + 0);
  swap(once + 1, s + 1);
  swap(once + 2, s + 3);
  swap(once + 3, s + 2);
  swap(once + 4, s + 5);
  swap(once + 5, s + 6);
  swap(twice + 0, s + 2);
  swap(twice + 1, s + 5);
  swap(twice + 2, s + 6);
}
