#include "harness/record/placement.hpp"

#include <gtest/gtest.h>

#include "harness/run/plan.hpp"
#include "tests/support/error.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

/// Descriptions of the placements in a text, for a machine on which the backend starts `all` threads.
std::vector<std::string> expanded(std::string_view text, int all = 1) {
  std::vector<std::string> texts;
  for (const Placement& placement : parse_placements(text, all))
    texts.push_back(to_string(placement));
  return texts;
}

TEST(PlacementText, HasOnlyWhatIsNotTheDefault) {
  EXPECT_EQ(to_string(Placement{}), "");
  EXPECT_EQ(to_string({.threads = 2}), "threads=2");
  EXPECT_EQ(to_string({.nodes = 2, .processes = 4, .threads = 8, .devices = 3}), "nodes=2;processes=4;threads=8;devices=3");
}

TEST(PlacementText, ReadsWhatItPrints) {
  for (const char* text : {"", "threads=1", "processes=4;threads=2", "nodes=2;processes=2;devices=4"})
    EXPECT_EQ(to_string(parse_placement(text)), text);
  EXPECT_EQ(to_string(parse_placement("devices=1;threads=2;processes=4")), "processes=4;threads=2");
  EXPECT_EQ(to_string(parse_placement("threads=all")), "");
  EXPECT_EQ(to_string(parse_placement("default")), "");
}

TEST(PlacementText, DoublesThreadsFromTheFirstToTheLastOfARange) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(expanded("threads=1..all", 2), (Texts{"threads=1", ""}));
  EXPECT_EQ(expanded("threads=1..all", 12), (Texts{"threads=1", "threads=2", "threads=4", "threads=8", ""}));
  EXPECT_EQ(expanded("threads=1..all", 1), (Texts{""}));
  EXPECT_EQ(expanded("threads=3..6"), (Texts{"threads=3", "threads=6"}));
  EXPECT_EQ(expanded("threads=2..2"), (Texts{"threads=2"}));
  EXPECT_EQ(expanded("processes=2;threads=1..2"), (Texts{"processes=2;threads=1", "processes=2;threads=2"}));
  EXPECT_EQ(expanded("threads=4..all", 2), (Texts{""})) << "fewer cores than the first of the range";
}

TEST(PlacementText, RefusesWhatIsNone) {
  for (const char* text : {"threads", "threads=", "threads=0", "threads=-1", "threads=1.5", "threads=8..1", "threads=..4",
                           "threads=1..", "threads=1..2..3", "threads=99999999999", "cores=2", "threads=1;", ";threads=1",
                           "threads=1;threads=2", "processes=all", "processes=1..2", "threads=1 ", "=", "default;threads=1"})
    EXPECT_TRUE(contains(input_error([&] { parse_placements(text); }), "nodes, processes, threads and devices")) << text;
  EXPECT_TRUE(contains(input_error([] { parse_placements("nodes=2"); }), "one process per node"));
  EXPECT_TRUE(contains(input_error([] { parse_placement("threads=1..all"); }), "single placement"));
}

TEST(DeviceOfARow, TellsHowManyShareIt) {
  Availability here;
  here.device = "a GPU";
  EXPECT_EQ(device_of(here, {.processes = 4}), "a GPU") << "their number is unknown";
  here.device_count = 2;
  EXPECT_EQ(device_of(here, {}), "a GPU");
  EXPECT_EQ(device_of(here, {.processes = 2}), "a GPU");
  EXPECT_EQ(device_of(here, {.nodes = 2, .processes = 4}), "a GPU");
  EXPECT_EQ(device_of(here, {.processes = 3}), "a GPU, shared by 2 processes");
  EXPECT_EQ(device_of(here, {.devices = 2}), "a GPU");
  EXPECT_EQ(device_of(here, {.devices = 4}), "a GPU, shared by 2 parts");
}

}  // namespace
}  // namespace ladder
