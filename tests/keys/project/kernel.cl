// Idea:    doubles numbers
// Layout:  one array
// Traffic: 4 + 4 bytes
// Source:  none
// Bound:   none

/* One work-item per number. */
kernel void twice(global real* a) { a[get_global_id(0)] *= 2; }
