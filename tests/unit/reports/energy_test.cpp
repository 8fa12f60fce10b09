// Sections of the kind `energy`, and energy in other sections.
#include "harness/record/rows.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

class Energy : public SectionTest {
 protected:
  /// Stores rows. Samples of the listed rungs have the given power, in W.
  void write(const std::string& rows, const std::map<std::string, double>& watts, const std::string& domain = "gpu") const {
    std::string text = csv_header<Row>() + "\n";
    for (Row row : parse_rows("m.csv", header + rows).rows) {
      const auto found = watts.find(row.rung);
      if (row.kind == "sample" && found != watts.end()) {
        row.joules = found->second * row.seconds;
        row.energy_domain = domain;
      }
      text += csv_line(row) + "\n";
    }
    experiments.write("results/box.csv", text);
  }
  void describe_rungs() {
    for (const auto& [id, follows] : {std::pair("m/s/1", ""), std::pair("m/s/2", "m/s/1"), std::pair("m/s/3", "m/s/2")})
      rungs[id] = {{"id", id}, {"build", "default"}, {"follows", follows}};
  }
  [[nodiscard]] std::string page() const {
    (void)experiments.report();
    return experiments.read("out/index.html");
  }

  /// Rung 2 is three times as fast as rung 1, and rung 3 twice as fast as rung 2.
  std::string three = measured({.rung = "m/s/1"}, {1e6, 1e6, 1e6}) + measured({.rung = "m/s/2"}, {3e6, 3e6, 3e6}) +
                      measured({.rung = "m/s/3"}, {6e6, 6e6, 6e6});
  std::string block = "kind = \"energy\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n";
};

TEST_F(Energy, StandsBesideSpeedAndBothHaveRatios) {
  describe_rungs();
  study(block);
  write(three, {{"m/s/1", 100}, {"m/s/2", 150}, {"m/s/3", 150}});
  const std::string csv = table("energy-box-4");
  EXPECT_TRUE(contains(csv, "rung,mlups,watts,joules_per_giga_update,follows,speed_ratio,energy_ratio\n")) << csv;
  EXPECT_TRUE(contains(csv, "\nm/s/1,1,100,100000,—,,")) << "100 W at 10^6 updates per second: " << csv;
  EXPECT_TRUE(contains(csv, "\nm/s/2,3,150,50000,1,3,0.5")) << csv;
  const std::string text = page();
  EXPECT_TRUE(contains(text, "0.500× [0.500, 0.500]"));
  EXPECT_TRUE(contains(text,
                       "box-4: does the faster rung also cost less? Yes. Of 2 rungs shown to be faster than the "
                       "rung that each follows, all use less energy per update: 2 0.500×, 3 0.500×."))
      << text;
  EXPECT_TRUE(contains(text, "box-4: the fastest rung, 3, also uses the least energy, 25,000 J per 10⁹ updates."));
  EXPECT_TRUE(contains(text, "Energy is that of the GPU card,"));
  EXPECT_TRUE(contains(text, "Energy against speed: box-4"));
}

TEST_F(Energy, MayBeMoreForAFasterRung) {
  describe_rungs();
  study(block);
  write(three, {{"m/s/1", 100}, {"m/s/2", 150}, {"m/s/3", 400}}, "package");
  const std::string text = page();
  EXPECT_TRUE(contains(text,
                       "cost less? Not always. Of 2 rungs shown to be faster than the rung that each follows: 1 uses less "
                       "(2 0.500×); 1 uses more (3 1.33×)."))
      << text;
  EXPECT_TRUE(contains(text,
                       "the fastest rung is 3; 2 uses the least energy, 50,000 J per 10⁹ updates, 0.750× [0.750, 0.750] "
                       "of the fastest rung&#39;s."));
  EXPECT_TRUE(contains(text, "Energy is that of the processor packages,"));
}

TEST_F(Energy, IsNotDecidedByTwoRounds) {
  describe_rungs();
  study(block);
  write(measured({.rung = "m/s/1"}, {1e6, 1e6}) + measured({.rung = "m/s/2"}, {3e6, 3e6}), {{"m/s/1", 100}, {"m/s/2", 150}});
  EXPECT_TRUE(contains(page(), "no rung is shown to be faster than the rung that it follows"));
}

TEST_F(Energy, IsLeftOutWhereNoSampleHasIt) {
  describe_rungs();
  study(block);
  write(three, {});
  EXPECT_TRUE(contains(page(), "box-4, f32: no sample has energy; docs/measuring.md (&quot;Energy&quot;)"));
  write(three, {{"m/s/1", 100}});
  EXPECT_TRUE(contains(page(), "2 rungs without energy left out."));
  experiments.write_rows("");
  EXPECT_TRUE(contains(page(), "box-4, f32: no rows of these rungs."));
}

TEST_F(Energy, IsAColumnOfStepsWhereARowHasIt) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  write(three, {{"m/s/2", 150}});
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, ",mlups,joules_per_giga_update,speedup,")) << csv;
  EXPECT_TRUE(contains(csv, ",3,50000,3,")) << csv;
  EXPECT_TRUE(contains(page(), "J per 10⁹ updates"));
  write(three, {});
  EXPECT_FALSE(contains(table("steps-box-4"), "joules"));
}

}  // namespace
}  // namespace ladder::reports::test
