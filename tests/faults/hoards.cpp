// Idea:    uses ten times the memory that it declares
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <unistd.h>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int accelerated_row(const Case& c) {
    static std::vector<char> hoard;
    const auto declared = static_cast<std::size_t>(c.cells()) * (2 * q * sizeof(float) + 1);
    if (hoard.size() < 10 * declared) {
      hoard.resize(10 * declared, 'x');
      usleep(100000);  // so that every look at the process sees the memory
    }
    return c.accelerated_row();
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
