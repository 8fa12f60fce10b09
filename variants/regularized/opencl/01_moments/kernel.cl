// Idea:    ten moments per cell: each cell expands those of its neighbours into the populations that arrive
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; distances from rest
// Traffic: ten moments read and written; those of the neighbours come from caches
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   reads from caches: a cell needs up to ten values from each neighbour

/* The kernel is `update` in moments.cl. 03_two_steps also uses it, for the last of an odd number of steps. */
