// What a rung's executable answers to `check` and to `measure`.
#include "harness/program/answers.hpp"

#include <cmath>

#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  if (const auto check = ladder::parse_check(input)) {
    require(check->steps >= 0, "steps are counted");
    for (const double error : {check->population_error, check->tolerance, check->history_error})
      require(std::isnan(error) || (std::isfinite(error) && error >= 0), "an error is a number, or none");
  }
  if (const auto sample = ladder::parse_sample(input)) {
    require(sample->cells >= 1 && sample->steps >= 1, "sites and steps are counted");
    const double rate = static_cast<double>(sample->cells) * static_cast<double>(sample->steps) / sample->seconds;
    require(rate > 0 && rate <= 1e30, "the speed is a number above 0 that reports accept");
  }
}
