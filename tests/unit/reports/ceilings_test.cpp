// Which ceiling a rung is compared with, and which fraction is reported.
#include "reports/ceilings.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::ceiling;
using test::Folder;
using test::measured;

/// Results with caches of 1 KiB, 4 KiB and 64 KiB.
struct Fixture {
  explicit Fixture(const std::string& rows) {
    data.file = read_rows(folder.write("m.csv", test::header + rows));
    data.sessions.push_back({});
    data.sessions.back().machine.caches = {{1, 512, 2}, {2, 4096, 1}, {3, 65536, 1}};
    results.emplace(data);
    ceilings.emplace(*results);
  }
  Folder folder;
  MachineData data;
  std::optional<Results> results;
  std::optional<Ceilings> ceilings;
};

constexpr double large = 1 << 20;

TEST(Residency, IsTheSmallestLevelThatHoldsTheFootprintInAllItsInstances) {
  const std::vector<CacheLevel> caches{{1, 512, 2}, {2, 4096, 1}};
  EXPECT_EQ(residency(1024, caches), "L1");
  EXPECT_EQ(residency(1025, caches), "L2");
  EXPECT_EQ(residency(4097, caches), "DRAM");
  EXPECT_EQ(residency(1, {}), "unknown");
}

TEST(Ceilings, BandwidthIsBytesTimesElementsAndOperationsAreForLimitsWithoutBytes) {
  const Fixture f(ceiling("triad", large, "nt", {3e9}, 12, 2) + ceiling("fma", 64, "plain", {1e9}, 0, 2));
  EXPECT_EQ(f.ceilings->all()[0].bandwidth(), 36e9);
  EXPECT_TRUE(std::isnan(f.ceilings->all()[0].flops()));
  EXPECT_EQ(f.ceilings->all()[1].flops(), 2e9);
  EXPECT_TRUE(std::isnan(f.ceilings->all()[1].bandwidth()));
}

TEST(Ceilings, ALatencyIsTheTimeOfAnEventAndHasNoWorkingSet) {
  const Fixture f(ceiling("grid-sync", 65536, "plain", {1e6}, 0) + ceiling("fma", 64, "plain", {1e9}, 0, 2));
  EXPECT_DOUBLE_EQ(f.ceilings->all()[0].latency(), 1e-6);
  EXPECT_TRUE(std::isnan(f.ceilings->all()[0].bandwidth()));
  EXPECT_TRUE(std::isnan(f.ceilings->all()[0].flops()));
  EXPECT_EQ(f.ceilings->all()[0].bytes, 0);
  EXPECT_TRUE(std::isnan(f.ceilings->all()[1].latency()));
}

TEST(Ceilings, ThoseOfTheChipChooseTheirWorkingSet) {
  const Fixture f(ceiling("l2-copy", large, "nt", {1e9}, 8) + ceiling("shared", large, "plain", {1e9}, 4) +
                  ceiling("copy", large, "nt", {1e9}, 8));
  EXPECT_TRUE(f.ceilings->all()[0].is_on_chip());
  EXPECT_EQ(f.ceilings->all()[0].bytes, test::Entry().footprint);
  EXPECT_TRUE(f.ceilings->all()[1].is_on_chip());
  EXPECT_FALSE(f.ceilings->all()[2].is_on_chip());
  EXPECT_EQ(f.ceilings->all()[2].bytes, large);
}

TEST(Ceilings, OfAGpuAreForWhatRanOnIt) {
  Fixture f(ceiling("copy-9", large, "nt", {5e8}, 72) + ceiling("copy-9", large, "nt", {9e9}, 72, 0, "a GPU") +
            measured({.rung = "on/the/processor"}, {1e8}) + measured({.rung = "on/the/gpu", .device = "a GPU"}, {1e9}));
  f.data.sessions.back().device_caches["a GPU"] = {{2, large, 1}};
  f.results.emplace(f.data);
  f.ceilings.emplace(*f.results);
  const auto copy_of = [&](const std::string& rung) {
    const Cell* cell = f.results->choose({.rung = rung, .case_name = "box-4", .precision = "f32"});
    if (cell == nullptr) throw std::runtime_error("no cell of " + rung);
    return f.ceilings->dram({"copy-9", "f32", ""}, cell)->cell->median;
  };
  EXPECT_EQ(copy_of("on/the/processor"), 5e8);
  EXPECT_EQ(copy_of("on/the/gpu"), 9e9);
  EXPECT_TRUE(f.ceilings->is_dram_sized(f.ceilings->all()[0]));
  EXPECT_FALSE(f.ceilings->is_dram_sized(f.ceilings->all()[1])) << "the GPU's cache holds it";
}

TEST(Ceilings, AWorkingSetIsANumberOfBytes) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Fixture f(ceiling("triad", infinite, "nt", {3e9}, 12) + ceiling("triad", std::nan(""), "nt", {3e9}, 12) +
                  ceiling("triad", 1e300, "nt", {3e9}, 12));
  for (const Ceiling& c : f.ceilings->all())
    EXPECT_EQ(c.bytes, 0) << c.cell->row->case_name;
}

TEST(Ceilings, OfHalvesAreTheirOwnForMovingAndThoseOfF32ForArithmetic) {
  const auto as = [](const std::string& line, const std::string& precision) {
    std::string copy = line;
    return copy.replace(copy.find(",f32,"), 5, "," + precision + ",");
  };
  const std::string fma = ceiling("fma", 64, "plain", {1e9}, 0, 2), copy = ceiling("copy-19", large, "plain", {1e9}, 152);
  const Fixture f(fma + as(ceiling("fma", 64, "plain", {5e8}, 0, 2), "f64") + copy +
                  as(ceiling("copy-19", large, "plain", {2e9}, 76), "f16"));
  EXPECT_EQ(f.ceilings->dram({"fma", "f16", ""}, nullptr)->flops(), 2e9);
  EXPECT_EQ(f.ceilings->dram({"fma", "f64", ""}, nullptr)->flops(), 1e9);
  EXPECT_EQ(f.ceilings->dram({"copy-19", "f16", ""}, nullptr)->cell->row->precision, "f16");
  EXPECT_FALSE(f.ceilings->dram({"copy-19", "f64", ""}, nullptr));
  EXPECT_FALSE(f.ceilings->dram({"triad", "f16", ""}, nullptr));
}

TEST(Ceilings, TheDramCeilingIsTheBestKindOfStoreAtALargeWorkingSet) {
  const Fixture f(ceiling("copy-9", 2048, "plain", {9e9}, 72) + ceiling("copy-9", large, "plain", {3e8}, 72) +
                  ceiling("copy-9", large, "nt", {5e8}, 72));
  const auto dram = f.ceilings->dram({"copy-9", "f32", ""}, nullptr);
  ASSERT_TRUE(dram);
  EXPECT_EQ(dram->store, "nt");
  EXPECT_EQ(dram->bytes, large);
  EXPECT_FALSE(f.ceilings->dram({"copy-9", "f64", ""}, nullptr));
  EXPECT_FALSE(f.ceilings->dram({"copy-9", "f32", "opencl"}, nullptr));
}

TEST(Ceilings, TheNearestWorkingSetIsNearestByRatioInTheSameLevel) {
  const Fixture f(ceiling("copy-9", 30000, "nt", {9e9}, 72) + ceiling("copy-9", 60000, "nt", {2e9}, 72) +
                  ceiling("copy-9", 70000, "nt", {5e8}, 72));
  const auto nearest = [&](double bytes) { return f.ceilings->nearest({"copy-9", "f32", ""}, bytes, nullptr); };
  EXPECT_EQ(nearest(42000)->bytes, 30000);
  EXPECT_EQ(nearest(43000)->bytes, 60000) << "nearer by ratio, farther by difference";
  EXPECT_EQ(nearest(66000)->bytes, 70000) << "60,000 B fit into the cache";
  EXPECT_FALSE(nearest(4000)) << "nothing was measured in the second level";
}

TEST(Ceilings, ACopyOfAnotherSizeIsNotTheNearest) {
  const Fixture f(ceiling("copy-9", 20000, "nt", {9e9}, 72) + ceiling("copy-9", 90000, "nt", {2e9}, 72));
  const auto nearest = [&](double bytes) { return f.ceilings->nearest({"copy-9", "f32", ""}, bytes, nullptr); };
  EXPECT_TRUE(nearest(30000)) << "1.5 times as large";
  EXPECT_FALSE(nearest(30001));
  EXPECT_FALSE(nearest(13000)) << "smaller by a factor of 1.54";
  EXPECT_FALSE(nearest(large)) << "part of the copy is still in the cache";
}

TEST(Ceilings, FarBeyondTheCachesAllSizesAreAlike) {
  const Fixture f(ceiling("copy-9", 90000, "nt", {9e9}, 72) + ceiling("copy-9", large, "nt", {5e8}, 72) +
                  ceiling("copy-9", 8 * large, "nt", {4e8}, 72));
  const auto nearest = [&](double bytes) { return f.ceilings->nearest({"copy-9", "f32", ""}, bytes, nullptr); };
  EXPECT_EQ(nearest(262144)->bytes, large) << "4 times the cache; 90,000 B are nearer, but half of it is cached";
  EXPECT_EQ(nearest(100 * large)->bytes, 8 * large);
  EXPECT_FALSE(nearest(262143)) << "not far beyond the cache";
}

TEST(Ceilings, AFractionIsPairedByRound) {
  const Fixture f(measured({}, {1e8, 2e8, 4e8}) + ceiling("copy-9", large, "nt", {2e8, 4e8, 8e8}, 72));
  const Cell& cell = f.results->cells().at(0);
  EXPECT_EQ(pattern_copy(cell), "copy-9");
  const Fraction fraction = f.ceilings->of_pattern(cell, *f.ceilings->dram({"copy-9", "f32", ""}, &cell));
  EXPECT_EQ(fraction.ratio.value, 0.5);
  EXPECT_EQ(fraction.ratio.pairs, 3U);
  EXPECT_EQ(fraction.ratio.interval.high, 0.5);
}

TEST(Ceilings, TheStreamFractionCountsMinimumTraffic) {
  const Fixture f(measured({}, {1e8}) + ceiling("triad", large, "nt", {3e9}, 12));  // 7.2 of 36 GB/s
  const Cell& cell = f.results->cells().at(0);
  EXPECT_DOUBLE_EQ(f.ceilings->of_bandwidth(cell, *f.ceilings->dram({"triad", "f32", ""}, &cell)).ratio.value, 0.2);
}

TEST(Ceilings, OfSeveralSessionsTheRungsOwnIsTaken) {
  std::string other = ceiling("copy-9", large, "nt", {9e9}, 72);
  other.replace(other.find("s1,"), 3, "s2,");
  const Fixture f(measured({}, {1e8}) + ceiling("copy-9", large, "plain", {2e8}, 72) + other);
  const auto dram = f.ceilings->dram({"copy-9", "f32", ""}, &f.results->cells().at(0));
  EXPECT_EQ(dram->cell->median, 2e8);
}

/// Rows of a ceiling, measured in another session with another executable.
std::string measured_anew(std::string rows) {
  for (std::size_t at = 0; at < rows.size(); at = rows.find('\n', at) + 1)
    rows.replace(at, 3, "s2,");
  for (std::size_t at = 0; (at = rows.find(",k\n", at)) != std::string::npos;)
    rows.replace(at, 3, ",new\n");
  return rows;
}

TEST(Ceilings, WhatAnEarlierSessionMeasuredIsComparedWithItsOwn) {
  const std::string ceilings =
      ceiling("copy-9", large, "nt", {2e8, 4e8, 8e8}, 72) + measured_anew(ceiling("copy-9", large, "nt", {9e9, 9e9, 9e9}, 72));
  const Fixture earlier(measured({}, {1e8, 2e8, 4e8}) + ceilings);
  const Cell& cell = earlier.results->cells().at(0);
  const CeilingQuery copy{"copy-9", "f32", ""};
  const Fraction fraction = earlier.ceilings->of_pattern(cell, *earlier.ceilings->dram(copy, &cell));
  EXPECT_EQ(fraction.ratio.value, 0.5);
  EXPECT_EQ(fraction.ratio.pairing, Pairing::rounds);
  EXPECT_EQ(earlier.ceilings->nearest(copy, large, &cell)->cell->row->key, "k");
  EXPECT_EQ(earlier.ceilings->dram(copy, nullptr)->cell->row->key, "new") << "the machine's latest";
  EXPECT_EQ(earlier.ceilings->all().size(), 1U);
  EXPECT_EQ(earlier.results->superseded(), 0U);

  const Fixture both(measured({}, {1e8}) + measured({.session = "s2"}, {1e8}) + ceilings);
  EXPECT_EQ(both.ceilings->dram(copy, &both.results->cells().at(0))->cell->row->key, "new");
  EXPECT_EQ(both.results->superseded(), 3U) << "nothing needs the earlier ones";

  const Fixture other(measured({.precision = "f64"}, {1e8}) + ceilings);
  EXPECT_TRUE(other.results->earlier_ceilings().empty()) << "they are in single precision";
  EXPECT_EQ(other.results->superseded(), 3U);
}

TEST(Ceilings, ASessionWithoutTheSizeDoesNotStandForOneThatHasIt) {
  std::string other = ceiling("copy-9", large, "nt", {2e8}, 72);
  other.replace(other.find("s1,"), 3, "s2,");
  const Fixture f(measured({}, {1e8}) + ceiling("copy-9", 30000, "nt", {9e9}, 72) + other);
  const Cell& cell = f.results->cells().at(0);
  EXPECT_EQ(f.ceilings->dram({"copy-9", "f32", ""}, &cell)->bytes, large) << "the rung's own session has a copy in the cache";
  ASSERT_TRUE(f.ceilings->nearest({"copy-9", "f32", ""}, large, &cell));
  EXPECT_EQ(f.ceilings->nearest({"copy-9", "f32", ""}, large, &cell)->bytes, large);
}

}  // namespace
}  // namespace ladder::reports
