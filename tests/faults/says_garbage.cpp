// Idea:    writes bytes that are not text before its answer
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <iostream>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() {
    static const bool once = [] {
      std::cout << "\xff\xfe{]\x01 {\"code\":0,\"out\":" << std::endl;
      return true;
    }();
    return once;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
