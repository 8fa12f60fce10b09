// Wrong: relaxes the odd part with the rate for the even part.
#include "tests/mutants/d3q19/mutant.hpp"

namespace d3q19 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real omega_minus(real omega, real /*omega_minus*/) {
    return omega;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q19
