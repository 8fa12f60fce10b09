#pragma once

#include "tests/unit/reports/store.hpp"

namespace ladder::reports::test {

/// Experiments with one section, and the table that it writes.
class SectionTest : public testing::Test {
 protected:
  void study(const std::string& block) const {
    experiments.write("study.toml", "title = \"t\"\npaper = \"paper.csv\"\n[[report]]\n" + block);
    experiments.write("paper.csv", paper);
    experiments.write_session(rungs);
  }
  [[nodiscard]] std::string table(const std::string& name) const {
    (void)experiments.report();
    return experiments.read("out/tables/waugh-box-01-" + name + ".csv");
  }

  Experiments experiments;
  nlohmann::json rungs = nlohmann::json::object();
  std::string paper =
      "item,label,case,quantity,value,unit,where\n"
      "table1,slow,box-4,seconds,10,s,I\ntable1,fast,box-4,seconds,4,s,I\n"
      "text,,box-4,steps,1000,,II\ntext,fast,box-4,speedup,2,,II\n";
};

/// Samples of a rung, one per round, with twins that are faster by the given factor.
inline std::string with_twins(const std::string& rung, const std::string& tuning, const std::vector<double>& rates,
                              double factor, const std::string& case_name = "box-4") {
  const Entry entry{
      .rung = rung, .case_name = case_name, .tuning = tuning, .key = "key of " + rung + " " + case_name + " " + tuning};
  std::string text = measured(entry, rates);
  Entry twin = entry;
  twin.kind = "twin";
  twin.round = 0;
  for (const double rate : rates) {
    ++twin.round;
    twin.updates_per_second = rate * factor;
    text += line(twin);
  }
  return text;
}

}  // namespace ladder::reports::test
