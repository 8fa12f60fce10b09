/* Accelerates the cells that are not solid, like d2q9_accelerate, but without branching, which OpenCL C cannot do on
 * vectors. */
void drive(lanes* s, integers solid, real w1, real w2) {
  const real axis = (real)(1.0 / 9.0), diagonal = (real)(1.0 / 36.0);
  const integers go = solid == 0 && s[3] > w1 - axis && s[6] > w2 - diagonal && s[7] > w2 - diagonal;
  const lanes along = go ? (lanes)w1 : (lanes)0;
  const lanes aslant = go ? (lanes)w2 : (lanes)0;
  s[1] += along;
  s[3] -= along;
  s[5] += aslant;
  s[6] -= aslant;
  s[7] -= aslant;
  s[8] += aslant;
}
