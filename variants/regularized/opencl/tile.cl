/* Work-groups that march through planes: each work-item owns a column of cells along z. In each plane, it expands the
 * coefficients of its cell and passes the populations to its neighbours through local memory. Some work-items also expand the
 * halo ring around the `columns` x `rows` cells of the tile. */
#define tile_threads (columns * rows)
#define ring_cells (2 * (columns + rows + 2))

/* The populations of a plane that move to another column, in local memory: [moving][cells]. Rows have `across` cells. */
#define moving (has_corners ? 24 : 16)
#define plane_elements(across, down) (moving * (across) * (down))

/* Calls each(slot, x, y, z) for one direction of each pair that leads to another column: (x, y, z) has this slot, and its
 * opposite the next one. */
#if has_corners
#define for_corners(each) each(16, 1, 1, 1) each(18, -1, 1, 1) each(20, 1, -1, 1) each(22, -1, -1, 1)
#else
#define for_corners(each)
#endif
#define for_moving_pairs(each)                                                                                               \
  each(0, 1, 0, 0) each(2, 0, 1, 0) each(4, 1, 1, 0) each(6, 1, -1, 0) each(8, 1, 0, 1) each(10, -1, 0, 1) each(12, 0, 1, 1) \
      each(14, 0, -1, 1) for_corners(each)

/* put() stores the populations that leave the cell at `place`, with coefficients k, in a plane of `cells` cells. keep_column()
 * returns those that stay in the column, indexed by 1 + cz. */
#define put_pair(slot, x, y, z)                                          \
  {                                                                      \
    const real even = even_part(k, x, y, z);                             \
    const real odd = odd_part(k, x, y, z);                               \
    plane[(slot)*cells + place] = weighted(x, y, z, even + odd);         \
    plane[((slot) + 1) * cells + place] = weighted(x, y, z, even - odd); \
  }
void put(local real* plane, int cells, int place, const real* k) { for_moving_pairs(put_pair) }
void keep_column(const real* k, real* column) {
  column[0] = opposite_of(k, 0, 0, 1);
  column[1] = weighted(0, 0, 0, k[0]);
  column[2] = one_of(k, 0, 0, 1);
}

/* Adds the populations that arrive at `place` from one plane, whose rows have `across` cells; sets s[10] as arrive() does. */
#define from_plane(slot, x, y) plane[(slot)*cells + place - (y)*across - (x)]
void collect(const local real* plane, int across, int cells, int place, const real* column, struct arrivals* arriving,
             real* s) {
  const struct plane_sums level =
      sums_of_nine(column[1], from_plane(0, 1, 0), from_plane(1, -1, 0), from_plane(2, 0, 1), from_plane(3, 0, -1),
                   from_plane(4, 1, 1), from_plane(5, -1, -1), from_plane(6, 1, -1), from_plane(7, -1, 1));
#if has_corners
  const struct plane_sums up =
      sums_of_nine(column[2], from_plane(8, 1, 0), from_plane(10, -1, 0), from_plane(12, 0, 1), from_plane(14, 0, -1),
                   from_plane(16, 1, 1), from_plane(22, -1, -1), from_plane(20, 1, -1), from_plane(18, -1, 1));
  const struct plane_sums down =
      sums_of_nine(column[0], from_plane(11, 1, 0), from_plane(9, -1, 0), from_plane(15, 0, 1), from_plane(13, 0, -1),
                   from_plane(23, 1, 1), from_plane(17, -1, -1), from_plane(19, 1, -1), from_plane(21, -1, 1));
#else
  const struct plane_sums up =
      sums_of_five(column[2], from_plane(8, 1, 0), from_plane(10, -1, 0), from_plane(12, 0, 1), from_plane(14, 0, -1));
  const struct plane_sums down =
      sums_of_five(column[0], from_plane(11, 1, 0), from_plane(9, -1, 0), from_plane(15, 0, 1), from_plane(13, 0, -1));
#endif
  arrive(arriving, down, level, up, s);
}

/* Row and column, in the tile with its ring, of the n-th cell of the ring: two rows, then both ends of the rows between. */
int ring_row(int n) {
  const int side = n - 2 * (columns + 2);
  return side >= 0 ? 1 + side / 2 : n < columns + 2 ? 0 : rows + 1;
}
int ring_column(int n) {
  const int side = n - 2 * (columns + 2);
  return side >= 0 ? side % 2 * (columns + 1) : n % (columns + 2);
}

/* n modulo side, for any n. */
int wrapped_far(int n, int side) {
  const int rest = n % side;
  return rest < 0 ? rest + side : rest;
}
