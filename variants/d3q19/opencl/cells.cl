/* The cell at distance c from cell n along a periodic axis of `size` cells, with c from -1 to 1. */
#define stepped(n, c, size) ((c) > 0 ? after(n, size) : (c) < 0 ? before(n, size) : (n))

/* Index of the cell at distance c_i from cell (x, y, z), whose index is `cell`, in the order [z][y][x].
 *
 * A cell's own index is not recomputed from its coordinates. LLVM 14, used by PoCL 3.1, would otherwise recognize that rest
 * populations are consecutive and load them as a vector, taking the address from the first cell even if that cell's flag makes
 * it skipped and its address is undefined. */
__attribute__((always_inline)) inline uint neighbour(int i, uint cell, int x, int y, int z, int nx, int ny, int nz) {
  if (i == 0) return cell;
  return ((uint)stepped(z, d3q19_cz[i], nz) * ny + stepped(y, d3q19_cy[i], ny)) * nx + stepped(x, d3q19_cx[i], nx);
}
