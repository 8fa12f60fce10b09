// Idea:    gives wrong results for one value of its tunable
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Wide : mutants::Correct {
  static double omega(const Case& c) { return c.omega * 1.01; }
};

}  // namespace

const Rung rung = {.follows = "",
                   .traffic =
                       [](double real) {
                         return ladder::Traffic{9 * real, 9 * real};
                       },
                   .tunables = {{"wx", "width, sites", {1, 2}, 1}},
                   .make =
                       [](const Case& c, const ladder::Number& p, const ladder::Tuning& t) {
                         return t.at("wx") == 2 ? mutants::rung_of<Wide>().make(c, p, t)
                                                : mutants::rung_of<mutants::Correct>().make(c, p, t);
                       }};

}  // namespace d2q9
