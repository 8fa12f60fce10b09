// Wrong: from the second step on, the row to the north is also used as the row to the south.
#include "tests/mutants/d2q9r/pass.hpp"

namespace d2q9r {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static const real* south(Rows<real>& rows, int step, int y) {
    return rows.row(step - 1, step > 1 ? y + 1 : y - 1);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9r
