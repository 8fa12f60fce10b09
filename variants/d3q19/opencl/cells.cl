#define weight(i) ((real)D3Q19_WEIGHT(i))

/* The cell that lies c from cell n along a periodic axis of `size` cells, c from -1 to 1. */
#define stepped(n, c, size) ((c) > 0 ? after(n, size) : (c) < 0 ? before(n, size) : (n))

/* Number of the cell that lies c_i from cell number `cell`, (x, y, z), in the order [z][y][x].
 *
 * A cell's own number is not computed from its place. LLVM 14, of PoCL 3.1, would find out that numbers at rest follow each
 * other, and load them as a vector, whose address it takes from the first cell even if that cell is skipped for its flag: its
 * place is not known. */
__attribute__((always_inline)) inline uint neighbour(int i, uint cell, int x, int y, int z, int nx, int ny, int nz) {
  if (i == 0) return cell;
  return ((uint)stepped(z, d3q19_cz[i], nz) * ny + stepped(y, d3q19_cy[i], ny)) * nx + stepped(x, d3q19_cx[i], nx);
}
