// Answers of a rung's executable to `probe`, `case`, `describe`, `check` and `measure`.
#include "harness/run/answers.hpp"

#include <cmath>

#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  if (const auto here = ladder::parse_probe(input)) require(here->threads >= 0, "the number of threads is not negative");
  if (const auto facts = ladder::parse_case(input))
    require(facts->cells >= 0 && facts->q >= 0, "the numbers of cells and velocities are not negative");
  const auto description = nlohmann::ordered_json::parse(input, nullptr, false);
  if (ladder::fault_of(description).empty()) (void)ladder::numbers_of(description);
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
