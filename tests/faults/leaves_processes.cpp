// Idea:    leaves a child and a grandchild behind, in separate sessions
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include <unistd.h>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

/// A process that sleeps for ten minutes; its parent stays alive or exits.
void leave(bool is_orphan) {
  if (fork() != 0) return;
  setsid();
  if (is_orphan && fork() != 0) _exit(0);
  sleep(600);
  _exit(0);
}

struct Choice : mutants::Correct {
  static bool advances() {
    static const bool once = [] {
      leave(false);
      leave(true);
      return true;
    }();
    return once;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
