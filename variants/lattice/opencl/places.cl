/* Places of a state, in the format of places.hpp: sides[3], origin, strides of x, y, z and slots; then, for each population,
 * its slot and its offset along x, y and z. */
long place(global const long* places, int i, long x, long y, long z) {
  global const long* const access = places + 8 + 4 * i;
  const long at[3] = {x + access[1], y + access[2], z + access[3]};
  long n = places[3] + access[0] * places[7];
  for (int a = 0; a < 3; ++a)
    n += places[4 + a] * (at[a] < 0 ? at[a] + places[a] : at[a] < places[a] ? at[a] : at[a] - places[a]);
  return n;
}
