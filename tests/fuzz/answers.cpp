// Answers of a rung's executable to `probe`, `case`, `describe`, `check` and `measure`.
#include "harness/record/answers.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/record/description.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  if (const auto here = ladder::parse_probe(input)) require(here->threads >= 0, "the number of threads is not negative");
  if (const auto facts = ladder::parse_case(input))
    require(facts->cells >= 0 && facts->q >= 0, "the numbers of cells and velocities are not negative");
  accepts([&] {
    const ladder::Description description = ladder::parse_description(input);
    for (const std::string& number : description.numbers)
      require(description.bytes_per_update.contains(number), "the traffic of every number is known");
    (void)ladder::described(description);
  });
  ladder::Row check;
  check.kind = "check";
  if (ladder::read_check(input, check)) {
    require(check.check_steps >= 0, "steps are counted");
    for (const double error : {check.population_error, check.tolerance, check.history_error})
      require(std::isnan(error) || (std::isfinite(error) && error >= 0), "an error is a number, or none");
  }
  ladder::Row failed;
  failed.kind = "sample";
  if (ladder::read_failure(input, failed))
    require(failed.kind == "sample" && !failed.ok(), "a failure keeps the kind of its row");
  for (const char* kind : {"sample", "ceiling"}) {
    ladder::Row sample;
    sample.kind = kind;
    if (!ladder::read_sample(input, sample)) continue;
    require(sample.cells >= 1 && sample.steps >= 1, "sites and steps are counted");
    const double rate = static_cast<double>(sample.cells) * static_cast<double>(sample.steps) / sample.seconds;
    require(rate > 0 && rate <= 1e30, "the speed is a number above 0 that reports accept");
    (void)ladder::sample_text(sample);
  }
}
