// Columns of newer versions: traffic by memory level, and values that must be guessed for older rows.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/record/rows.hpp"

namespace ladder {
namespace {

TEST(Levels, AreReadFromTheirText) {
  const auto levels = parse_levels("dram=36+40.5;shared=72+0");
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].level, "dram");
  EXPECT_EQ(levels[0].read, 36);
  EXPECT_EQ(levels[0].write, 40.5);
  EXPECT_EQ(levels[1].level, "shared");
}

TEST(Levels, OfAnotherTextAreNone) {
  for (const char* text :
       {"", "dram", "dram=", "=1+2", "dram=1", "dram=1+", "dram=1+2x", "dram=-1+2", "dram=nan+1", "dram=1+2;x"})
    EXPECT_TRUE(parse_levels(text).empty()) << text;
}

TEST(Levels, DecideWhetherAFigureIsOfDram) {
  EXPECT_EQ(dram_bytes("", 72), 72) << "rows from older versions";
  EXPECT_EQ(dram_bytes("dram=36+36", 72), 72);
  EXPECT_EQ(dram_bytes("shared=72+72;dram=1+2", 144), 3);
  EXPECT_TRUE(std::isnan(dram_bytes("shared=72+72", 144)));
}

TEST(Phases, AreReadWithTheirSeconds) {
  const auto phases = parse_phases("comm=0;stream=1.5e-03;collide_2=2");
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].name, "comm");
  EXPECT_EQ(phases[0].seconds, 0);
  EXPECT_EQ(phases[1].name, "stream");
  EXPECT_EQ(phases[1].seconds, 1.5e-3);
  EXPECT_EQ(phases[2].name, "collide_2");
  EXPECT_EQ(phases[2].seconds, 2);
}

TEST(Phases, AreNoneInAnyOtherText) {
  for (const char* text : {"", "stream", "=1", "stream=", "stream=x", "stream=-1", "stream=1,bc=2", "stream=nan", "stream=1e31",
                           "Stream=1", "a b=1", "<b>=1", "stream=1;bc"})
    EXPECT_TRUE(parse_phases(text).empty()) << text;
}

/// A row as written by the version in which `last` is the last column.
Row read_back(Row row, const std::string& last) {
  row.session = "s";
  row.utc = "2026-11-21T03:15:00Z";
  row.kind = "check";
  row.outcome = "ok";
  row.precision = "f64";
  const auto count = [](const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  };
  const std::string whole = csv_header<Row>();
  const std::string header = whole.substr(0, whole.find("," + last) + last.size() + 1);
  std::string line = csv_line(row);
  for (std::size_t i = count(header); i < count(whole); ++i)
    line.resize(line.rfind(','));
  EXPECT_TRUE(header == whole || is_older_header<Row>(header)) << header;
  return parse_rows("m.csv", header + "\n" + line + "\n").rows.at(0);
}

TEST(Rows, OfOlderVersionsAreCompleted) {
  Row row;
  row.grid = "64x32x16";
  row.bytes_per_update_minimum = 2 * 27 * 8;
  for (const char* last :
       {"key", "suspicious", "reason_code", "phases", "energy_domain", "relative_error", "queue_seconds", "total_seconds"}) {
    const Row read = read_back(row, last);
    EXPECT_EQ(read.q, 27) << last;
    EXPECT_EQ(read.nx, 64) << last;
    EXPECT_EQ(read.ny, 32) << last;
    EXPECT_EQ(read.nz, 16) << last;
    EXPECT_EQ(read.fluid_cells, 0) << "unknown";
    EXPECT_EQ(read.phases, "") << last;
  }
  row.grid = "64x32";
  EXPECT_EQ(read_back(row, "suspicious").nz, 1);
}

TEST(Rows, CountTheDevicesThatTheyHaveForThemselves) {
  Row row;
  row.placement = "processes=2;devices=3";
  row.backend = "mpi+cuda";
  EXPECT_EQ(row.devices(), 6);
  row.device = shared_device("gpu", 2, "processes");
  EXPECT_EQ(row.devices(), 1);
  row = {};
  row.placement = "processes=2;threads=4";
  row.threads = 4;
  row.backend = "mpi+openmp";
  EXPECT_EQ(row.devices(), 1);
  EXPECT_EQ(row.workers(), 8);
}

TEST(Rows, KeepWhatTheySay) {
  Row row;
  row.grid = "64x32";
  row.bytes_per_update_minimum = 144;
  row.q = 37;
  row.reach = 3;
  row.fluid_cells = 2000;
  row.nx = 64;
  row.ny = 32;
  row.nz = 1;
  row.placement = "threads=2";
  row.bytes_per_update_levels = "shared=72+72";
  row.reason_code = "no-device";
  row.phases = "stream=0.00125;collide=2";
  row.joules = 250.5;
  row.energy_domain = "gpu";
  row.time_source = "program";
  row.wall_seconds = 1.5;
  row.cpu_seconds = 2.5;
  row.validation = "files";
  row.relative_error = 0.125;
  row.queue_seconds = 2e-6;
  row.total_seconds = 0.75;
  row.processes = 4;
  row.nodes = 2;
  const Row read = read_back(row, "nodes");
  EXPECT_EQ(read.joules, 250.5);
  EXPECT_EQ(read.energy_domain, "gpu");
  EXPECT_EQ(read.phases, "stream=0.00125;collide=2");
  EXPECT_EQ(read.q, 37);
  EXPECT_EQ(read.reach, 3);
  EXPECT_EQ(read.fluid_cells, 2000);
  EXPECT_EQ(read.placement, "threads=2");
  EXPECT_EQ(read.reason_code, "no-device");
  EXPECT_EQ(read.time_source, "program");
  EXPECT_EQ(read.wall_seconds, 1.5);
  EXPECT_EQ(read.cpu_seconds, 2.5);
  EXPECT_EQ(read.validation, "files");
  EXPECT_EQ(read.relative_error, 0.125);
  EXPECT_EQ(read.queue_seconds, 2e-6);
  EXPECT_EQ(read.total_seconds, 0.75);
  EXPECT_EQ(read.processes, 4);
  EXPECT_EQ(read.nodes, 2);
  EXPECT_TRUE(std::isnan(read.dram_bytes_per_update()));
}

}  // namespace
}  // namespace ladder
