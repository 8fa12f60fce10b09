// Idea:    two steps per pass through memory: the moments of the first step stay on the chip
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; in local memory, a plane of the
//          populations that move along x or y, which both steps use in turn
// Traffic: ten moments read and written every two steps; a work-group also reads four more planes and the margin of its tile
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   instructions, four barriers per plane, and redundant work: tiles must fit in 48 KiB of local memory

/* Streams and collides twice, one work-item per column of cells. Populations that leave plane z complete the first step of
 * plane z - 1, whose populations then complete the second step of plane z - 2. */
kernel work_group void march(global const real* from, global real* to, int nx, int ny, int nz, int pitch, int planes, real keep,
                             real gain, real edge) {
  local real plane[plane_elements(columns + 2, rows + 2)];
  const int cells = (columns + 2) * (rows + 2);
  const int thread = get_local_id(0), column_of = thread % columns, row_of = thread / columns;
  const int tiles = (nx + columns - 3) / (columns - 2);
  const int first_x = (int)get_group_id(0) % tiles * (columns - 2) - 1;
  const int first_y = (int)get_group_id(0) / tiles * (rows - 2) - 1;
  const bool writes = column_of > 0 && column_of < columns - 1 && first_x + column_of < nx && row_of > 0 && row_of < rows - 1 &&
                      first_y + row_of < ny;
  const bool has_ring = thread < ring_cells;
  const size_t slab = (size_t)pitch * ny, array = slab * nz;
  const int own = wrapped_far(first_y + row_of, ny) * pitch + wrapped_far(first_x + column_of, nx);
  const int beside =
      wrapped_far(first_y + ring_row(thread) - 1, ny) * pitch + wrapped_far(first_x + ring_column(thread) - 1, nx);
  const int place = (row_of + 1) * (columns + 2) + column_of + 1;
  const int place_beside = ring_row(thread) * (columns + 2) + ring_column(thread);
  /* The nearest cell that has all its neighbours in the tile. */
  const int inner = clamp(row_of, 1, rows - 2) * columns + clamp(column_of, 1, columns - 2);
  const int begin = get_group_id(1) * planes, end = min(begin + planes, nz);
  int read = wrapped_far(begin - 2, nz), write = wrapped_far(begin - 5, nz);
  struct arrivals first = {{0}, {0}, {0}}, second = {{0}, {0}, {0}};
  real k[10], k_beside[10];
  load_cell(from + read * slab + own, array, k);
  if (has_ring) load_cell(from + read * slab + beside, array, k_beside);
  for (int z = begin - 2; z <= end + 1; ++z) {
    real column[3], s[10], once[10];
    put(plane, cells, place, k);
    keep_column(k, column);
    if (has_ring) put(plane, cells, place_beside, k_beside);
    read = after(read, nz);
    write = after(write, nz);
    if (z <= end) {
      load_cell(from + read * slab + own, array, k);
      if (has_ring) load_cell(from + read * slab + beside, array, k_beside);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    collect(plane, columns + 2, cells, place, column, &first, s);
    regularized_collide(s, once, keep, gain, edge);
    barrier(CLK_LOCAL_MEM_FENCE);
    put(plane, tile_threads, thread, once);
    keep_column(once, column);
    barrier(CLK_LOCAL_MEM_FENCE);
    collect(plane, columns, tile_threads, inner, column, &second, s);
    if (z > begin + 1 && writes) {
      regularized_collide(s, s, keep, gain, edge);
      store_cell(to + write * slab + own, array, s);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
