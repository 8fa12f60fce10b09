#include "harness/program/flow_files.hpp"

#include <fmt/format.h>

#include "harness/program/console.hpp"
#include "harness/program/launch.hpp"
#include "harness/program/outcome.hpp"
#include "harness/program/text.hpp"

namespace ladder {

double make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                       const std::string& machine) {
  double seconds = 0;
  const auto make = [&](const std::string& what, const std::string& name, const std::string& id, const std::string& case_name,
                        std::vector<std::string> arguments) {
    const auto file = results / fmt::format("{}.{}.csv", machine, name);
    const Executable& rung = catalogue.rung(id);
    if (std::filesystem::exists(file) || !catalogue.probe(rung).available) return;
    say("{} of {}\n", what, case_name);
    arguments.insert(arguments.end(), {"--case", case_name, "--out", file.string()});
    const ProcessResult result = run_launched(launch_of({}), rung.path, arguments, study.timeout_seconds);
    seconds += result.seconds;
    if (!succeeded(result)) say("{}: no {}: {}\n", case_name, what, one_line(result.err));
  };
  for (const auto& field : study.fields)
    for (std::int64_t frame = 1; frame <= field.frames; ++frame) {
      const std::int64_t step = field.steps / field.frames * frame;
      const std::string suffix = field.frames > 1 ? fmt::format(".{}", step) : "";
      make(fmt::format("picture after {} steps", step), "field." + field.case_name + suffix, field.rung, field.case_name,
           {"picture", "--steps", std::to_string(step)});
    }
  for (const auto& series : study.series)
    for (const auto& case_name : series.cases)
      make("series", "series." + case_name, series.rung, case_name,
           {"series", "--precision", series.precision, "--points", std::to_string(series.points)});
  return seconds;
}

}  // namespace ladder
