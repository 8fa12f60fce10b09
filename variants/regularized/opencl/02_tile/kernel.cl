// Idea:    tile in local memory: work-groups march through planes; each cell is expanded once and shares its populations
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; in local memory, a plane of
//          the populations that move along x or y, [q - 3][rows + 2][columns + 2]
// Traffic: ten moments read and written; a work-group also reads two more planes and a halo ring
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   memory bandwidth, or barriers

/* Streams and collides, one work-item per column of cells. Populations that leave plane z complete the cells of plane z - 1.
 * The coefficients of plane z + 1 arrive in the meantime. */
kernel work_group void march(global const real* from, global real* to, int nx, int ny, int nz, int pitch, int planes, real keep,
                             real gain, real edge) {
  local real plane[plane_elements(columns + 2, rows + 2)];
  const int cells = (columns + 2) * (rows + 2);
  const int thread = get_local_id(0), column_of = thread % columns, row_of = thread / columns;
  const int tiles = (nx + columns - 1) / columns;
  const int first_x = (int)get_group_id(0) % tiles * columns, first_y = (int)get_group_id(0) / tiles * rows;
  const bool writes = first_x + column_of < nx && first_y + row_of < ny;
  const bool has_ring = thread < ring_cells;
  const size_t slab = (size_t)pitch * ny, array = slab * nz;
  const int own = wrapped_far(first_y + row_of, ny) * pitch + wrapped_far(first_x + column_of, nx);
  const int beside =
      wrapped_far(first_y + ring_row(thread) - 1, ny) * pitch + wrapped_far(first_x + ring_column(thread) - 1, nx);
  const int place = (row_of + 1) * (columns + 2) + column_of + 1;
  const int place_beside = ring_row(thread) * (columns + 2) + ring_column(thread);
  const int begin = get_group_id(1) * planes, end = min(begin + planes, nz);
  int read = wrapped_far(begin - 1, nz), write = wrapped_far(begin - 3, nz);
  struct arrivals arriving = {{0}, {0}, {0}};
  real k[10], k_beside[10];
  load_cell(from + read * slab + own, array, k);
  if (has_ring) load_cell(from + read * slab + beside, array, k_beside);
  for (int z = begin - 1; z <= end; ++z) {
    real column[3], s[10];
    put(plane, cells, place, k);
    keep_column(k, column);
    if (has_ring) put(plane, cells, place_beside, k_beside);
    read = after(read, nz);
    write = after(write, nz);
    if (z < end) {
      load_cell(from + read * slab + own, array, k);
      if (has_ring) load_cell(from + read * slab + beside, array, k_beside);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    collect(plane, columns + 2, cells, place, column, &arriving, s);
    if (z > begin && writes) {
      regularized_collide(s, s, keep, gain, edge);
      store_cell(to + write * slab + own, array, s);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
