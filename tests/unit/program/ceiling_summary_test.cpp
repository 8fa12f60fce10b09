// Whether a machine performs as it did in other sessions: the summary of `ladder ceilings`.
#include "program/ceiling_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/record/provenance.hpp"
#include "tests/unit/reports/store.hpp"

namespace ladder {
namespace {

using reports::test::ceiling;
using test::contains;

class CeilingSummaries : public testing::Test {
 protected:
  /// Stores a session of a study on a processor with 1 KiB of cache; `rows` are of session s1.
  void store(const std::string& study, const std::string& session, std::string rows, int stepping = 1) const {
    const std::filesystem::path results = folder.path() / study / "results";
    std::filesystem::create_directories(results);
    folder.write(study + "/study.toml", "title = \"a study\"\n");
    for (std::size_t at = 0; (at = rows.find("s1,", at)) != rows.npos; at += session.size())
      if (at == 0 || rows[at - 1] == '\n') rows.replace(at, 2, session);
    folder.write(study + "/results/" + session + "box.csv", reports::test::header + rows);
    Provenance provenance;
    provenance.utc = "2026-11-21T03:15:00Z";
    provenance.machine.name = session + "box";
    provenance.machine.cpu = "a processor";
    provenance.machine.cores = 2;
    provenance.machine.caches = {{.level = 1, .bytes = 1024, .count = 1}};
    provenance.machine.identity = ProcessorIdentity{"V", 1, 1, stepping, {}};
    folder.write(study + "/results/" + session + "box." + session + ".json", provenance_text(provenance));
  }
  [[nodiscard]] std::vector<CeilingSummary> summaries() const { return summaries_of(folder.path(), "s1box", "s1"); }

  static std::string rows(double triad) {
    return ceiling("triad", 1 << 20, "nt", {triad, triad, triad}, 12) + ceiling("copy", 1 << 20, "nt", {5e9}, 8) +
           ceiling("copy-9", 1 << 20, "nt", {1e9}, 72) + ceiling("copy-9", 512, "nt", {9e9}, 72) +
           ceiling("read", 512, "plain", {50e9}, 4) + ceiling("read", 1 << 20, "plain", {6e9}, 4) +
           ceiling("read", 2048, "plain", {20e9}, 4) + ceiling("fma", 65536, "plain", {7e9}, 0, 2) +
           ceiling("launch", 65536, "plain", {1e6}, 0);
  }

  reports::test::Folder folder;
};

TEST_F(CeilingSummaries, ContainTheBestValueOfEachLimit) {
  store("ceilings", "s1", rows(3e9));
  std::vector<std::string> found;
  for (const CeilingSummary& s : summaries())
    found.push_back(s.name + " " + s.ceiling + " " + s.text(s.value));
  EXPECT_EQ(found, (std::vector<std::string>{"STREAM triad triad 36.00 GB/s", "best copy copy-9 72.00 GB/s",
                                             "read from DRAM read 24.00 GB/s", "read from L1 read 200.0 GB/s",
                                             "fma fma 14.00 GFLOP/s", "launch launch 1.00 us"}))
      << "2048 bytes are neither in a cache nor far beyond it";
  EXPECT_EQ(summaries().front().samples, 3u);
  EXPECT_TRUE(std::isnan(summaries().front().nominal)) << "of a processor";
  EXPECT_TRUE(contains(delivery_text(summaries()), "No other session of this machine"));
}

TEST_F(CeilingSummaries, AreComparedWithAllSessionsOfTheSameProcessor) {
  store("ceilings", "s1", rows(3e9));
  store("ceilings", "s2", rows(4e9));
  store("waugh", "s3", rows(4e9));
  store("waugh", "s4", rows(9e9), 2);
  const std::vector<CeilingSummary> all = summaries();
  EXPECT_EQ(all.front().stored, (std::vector<double>{48e9, 48e9})) << "s4 has another processor";
  EXPECT_DOUBLE_EQ(all.front().of_stored(), 0.75);
  EXPECT_EQ(delivery_text(all),
            "1 of 6 limits are more than 5.0 % below the median of other sessions: STREAM triad (openmp, f32): 75.0 %.");
  store("ceilings", "s1", rows(4e9));
  EXPECT_EQ(delivery_text(summaries()),
            "The machine performs as it did in up to 2 other sessions: no limit is more than 5.0 % below their median.");
}

TEST_F(CeilingSummaries, AreComparedOnlyWithTheSameCeiling) {
  store("ceilings", "s1", ceiling("copy-9", 1 << 20, "nt", {1e9}, 72) + ceiling("read", 1 << 20, "plain", {6e9}, 4));
  store("small", "s2", ceiling("copy-19", 1 << 20, "nt", {1e9}, 152) + ceiling("read", 1 << 21, "plain", {9e9}, 4));
  store("stores", "s3", ceiling("copy-9", 1 << 20, "plain", {2e9}, 72));
  for (const CeilingSummary& limit : summaries())
    EXPECT_EQ(limit.stored, std::vector<double>{}) << limit.name;
  store("both", "s4", ceiling("copy-9", 1 << 20, "nt", {2e9}, 72) + ceiling("copy-19", 1 << 20, "nt", {9e9}, 152));
  EXPECT_EQ(summaries().front().stored, std::vector<double>{144e9}) << "of copy-9, although copy-19 is faster there";
}

TEST(CeilingSummary, OfALatencyIsWorseIfItIsLonger) {
  CeilingSummary launch{.name = "launch", .quantity = CeilingSummary::Quantity::latency, .value = 2e-6, .disturbed = 1};
  launch.stored = {1e-6};
  EXPECT_EQ(launch.of_stored(), 0.5);
  EXPECT_EQ(launch.unit(), "s");
  EXPECT_TRUE(contains(delivery_text({launch}), "1 of 1 limits are more than"));
  EXPECT_TRUE(contains(delivery_text({launch}), "1 limit has disturbed samples."));
}

}  // namespace
}  // namespace ladder
