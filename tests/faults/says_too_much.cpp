// Idea:    writes 100 MB before its answer
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <iostream>
#include <string>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static bool advances() {
    static const bool once = [] {
      const std::string megabyte(1000000, 'x');
      for (int i = 0; i < 100; ++i)
        std::cout << megabyte;
      std::cout << std::endl;
      return true;
    }();
    return once;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
