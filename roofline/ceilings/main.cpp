#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/command_line.hpp"
#include "base/error.hpp"
#include "base/standard_streams.hpp"
#include "harness/bench/as_team.hpp"
#include "harness/bench/calibrate.hpp"
#include "harness/bench/probe.hpp"
#include "harness/bench/sample.hpp"
#include "harness/bench/serve.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/description.hpp"
#include "roofline/ceilings/ceiling.hpp"
#include "roofline/ceilings/options.hpp"
#include "roofline/model/number.hpp"

/// The command line of a backend's ceilings (docs/ceilings.md). Commands that rungs also have take the same options.
namespace ladder::ceilings {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string name;
  std::string precision{default_number.name};
  std::vector<std::string> settings;
  std::size_t bytes = 0;
  double min_seconds = 0.2;  ///< minimum duration of a sample
  int samples = 1;
};

CeilingsDescription describe() {
  CeilingsDescription all = {.backend = std::string(this_ceilings.backend),
                             .compiler = std::string(this_ceilings.compiler),
                             .flags = std::string(this_ceilings.flags),
                             .ceilings = {}};
  for (const Maker& maker : makers()) {
    const Kind& kind = find_kind(maker.name);
    CeilingDescription& ceiling = all.ceilings.emplace_back();
    ceiling.name = kind.name;
    ceiling.meaning = kind.meaning;
    ceiling.unit = kind.unit;
    for (const Store store : stores_of(kind))
      ceiling.stores.emplace_back(to_string(store));
    for (const Number& number : numbers) {
      if (!maker.accepts(number)) continue;
      const Traffic traffic = kind.traffic(static_cast<double>(number.bytes));
      ceiling.precisions.emplace_back(number.name);
      ceiling.bytes_per_element[std::string(number.name)] = {traffic.read, traffic.write};
    }
    ceiling.flops_per_element = kind.flops;
  }
  return all;
}

/// Reports samples only: when the count is 0, their relative spread is NaN, which JSON cannot represent.
class SamplesReporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> samples;
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) samples.push_back(run);
    if (!samples.empty()) JSONReporter::ReportRuns(samples);
  }
};

/// Times `ceiling` and returns Google Benchmark's JSON.
std::string time(Ceiling& ceiling, const Request& request, const Options& options, std::ostream& err) {
  // All processes start together, and the sample lasts until the slowest has finished.
  const auto run = [&](std::int64_t sweeps) {
    team().barrier();
    ceiling.sweep(sweeps);
    ceiling.wait();
    team().barrier();
  };
  const std::int64_t sweeps = calibrate(run, options.min_seconds, [](double seconds) { return team().of_first(seconds); });
  const std::string gpu = backend_status().gpu;
  Row row;
  row.kind = "ceiling";
  row.cells = ceiling.elements();
  row.steps = sweeps;
  row.footprint_bytes = ceiling.footprint();
  row.bytes_per_update_model = request.kind.traffic(static_cast<double>(request.real)).total();
  row.flops_per_update = request.kind.flops;
  const auto benchmark = [&](benchmark::State& state) { take_sample(state, gpu, row, [&] { run(sweeps); }); };
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(options.name.c_str(), benchmark)
      ->Iterations(1)
      ->Repetitions(options.samples)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
  std::ostringstream text;
  SamplesReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&err);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return text.str();
}

/// @throws InputError if the ceiling does not support this number format
void require(const Maker& maker, const Number& number) {
  if (maker.accepts(number)) return;
  std::string accepted;
  for (const Number& other : numbers)
    if (maker.accepts(other)) accepted += (accepted.empty() ? "" : ", ") + std::string(other.name);
  throw InputError(fmt::format("precision '{}': {} accepts {}", number.name, maker.name, accepted));
}

int measure(const Options& options, const Streams& to) {
  const Maker& maker = find_maker(options.name, makers());
  const Kind& kind = find_kind(maker.name);
  const Number& number = find_number(options.precision);
  require(maker, number);
  const Request request = {
      .kind = kind, .real = number.bytes, .bytes = options.bytes, .store = parse_store(kind, options.settings)};
  if (kind.has_size() && options.bytes == 0)
    throw InputError(fmt::format("--bytes is missing: {} needs a footprint of at least {}", kind.name, least_working_set));
  const auto ceiling = maker.make(request);
  const std::string answer = time(*ceiling, request, options, to.err);
  if (const std::string wrong = ceiling->wrong(); !wrong.empty()) {
    to.err << wrong << '\n';
    return exit_check_failed;
  }
  to.out << answer;
  return exit_ok;
}

/// Runs one command and returns its exit code.
int run_command(std::vector<std::string> words, const Streams& to) {
  CLI::App app{fmt::format("Limits of this machine, backend {}", this_ceilings.backend),
               fmt::format("ceilings/{}", this_ceilings.backend)};
  app.require_subcommand(1);
  app.add_subcommand("serve", "run commands read from standard input, one after another");
  app.add_subcommand("describe", "list the ceilings, as JSON");
  app.add_subcommand("probe", "say whether they can be measured here, as JSON");

  Options options;
  auto* measuring = app.add_subcommand("measure", "time one ceiling and write Google Benchmark's JSON");
  measuring->add_option("--name", options.name, "name of the ceiling, e.g. triad, copy-9")->required();
  measuring
      ->add_option("--bytes", options.bytes,
                   "footprint of all its arrays, of one process; l2-…, shared, fma and latencies need none")
      ->check(count(most_working_set, least_working_set));
  measuring->add_option("--precision", options.precision, "number format of the arrays, e.g. f32");
  measuring->add_option("--set", options.settings, "store=plain or store=nt");
  measuring->add_option("--min-time", options.min_seconds, "minimum seconds of a sample")->check(seconds());
  measuring->add_option("--samples", options.samples, "samples")->check(count(most_samples));

  // The code is for programs; the message is for people.
  const auto refuse = [&](Reason reason, const std::string& message, int code) {
    to.out << Json{{"code", to_string(reason)}}.dump() << '\n';
    to.err << message << '\n';
    return code;
  };
  try {
    std::reverse(words.begin(), words.end());  // the order that the parser expects
    app.parse(std::move(words));
    if (measuring->parsed()) return measure(options, to);
    if (app.got_subcommand("serve")) throw InputError("serve must be the executable's only argument");
    to.out << (app.got_subcommand("describe") ? described(describe()).dump() : answer_text(availability(backend_status())))
           << '\n';
    return exit_ok;
  } catch (const CLI::ParseError& e) {
    return app.exit(e, to.out, to.err) == 0 ? exit_ok : exit_bad_input;
  } catch (const Refused& e) {
    return refuse(e.reason(), e.what(), exit_bad_input);
  } catch (const InputError& e) {
    to.err << e.what() << '\n';
    return exit_bad_input;
  } catch (const Unavailable& e) {
    return refuse(e.reason(), e.what(), exit_unavailable);
  } catch (const std::bad_alloc&) {
    return refuse(Reason::no_memory, "not enough memory for this footprint", exit_bad_input);
  } catch (const std::runtime_error& e) {
    to.err << e.what() << '\n';
    return exit_check_failed;
  }
}

}  // namespace
}  // namespace ladder::ceilings

int main(int argc, char** argv) {
  return ladder::command_main(
      [](const std::vector<std::string>& words, const ladder::Streams& to) {
        return ladder::as_team(words, to,
                               [&](const ladder::Streams& own) { return ladder::ceilings::run_command(words, own); });
      },
      argc, argv);
}
