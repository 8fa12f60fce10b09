// Tunable settings `name=value`, one per line, and a precision.
#include <algorithm>

#include "harness/record/tuning.hpp"
#include "roofline/model/number.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  static const std::vector<ladder::Tunable> tunables = {{"wx", "work-group width, sites", {8, 16, 32}, 16},
                                                        {"wy", "work-group height, sites", {1, 2, 4}, 1},
                                                        {"block_rows", "rows per block", {-1, 0, 2147483647}, 0}};
  std::vector<std::string> settings;
  for (std::size_t begin = 0; begin < input.size();) {
    const std::size_t end = std::min(input.find('\n', begin), input.size());
    settings.emplace_back(input.substr(begin, end - begin));
    begin = end + 1;
  }
  accepts([&] { ladder::find_number(input); });
  ladder::Tuning tuning;
  if (!accepts([&] { tuning = ladder::parse_tuning(tunables, settings); })) return;
  std::vector<std::string> again;
  for (const ladder::Tunable& t : tunables) {
    require(std::find(t.values.begin(), t.values.end(), tuning.at(t.name)) != t.values.end(), "a value is declared");
    again.push_back(t.name + "=" + std::to_string(tuning.at(t.name)));
  }
  require(ladder::parse_tuning(tunables, again) == tuning, "what is written again parses to the same");
}
