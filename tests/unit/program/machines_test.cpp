// Numbers of machines that share a name.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program/stored_results.hpp"

namespace ladder {
namespace {

using Texts = std::vector<std::string>;

MachineFacts machine(const std::string& cpu, int cores, const std::string& gpu = "") {
  MachineFacts facts;
  facts.cpu = cpu;
  facts.cores = cores;
  if (!gpu.empty()) facts.gpus = {{.name = gpu}};
  return facts;
}

TEST(Machines, AreNumberedInOrder) {
  Machines machines;
  EXPECT_EQ(machines.add(machine("A", 1), "A"), 1u);
  EXPECT_FALSE(machines.are_several());
  EXPECT_EQ(machines.lines(), Texts{}) << "the only one";
  EXPECT_EQ(machines.add(machine("B", 8), "B"), 2u);
  EXPECT_EQ(machines.add(machine("A", 1), "A"), 1u);
  EXPECT_EQ(machines.identities(), (Texts{"A, 1 core", "B, 8 cores"}));
  EXPECT_EQ(machines.lines(), (Texts{"machine 1: A, 1 core", "machine 2: B, 8 cores"}));
  EXPECT_EQ(machine_mark(2), " (machine 2)");
  EXPECT_EQ(machine_mark(0), "");
}

TEST(Machines, DifferAlsoAfterASampleThatMayBelongToBoth) {
  Machines machines;
  EXPECT_EQ(machines.add({}, "A"), 1u);
  EXPECT_EQ(machines.add(machine("A", 1), "A"), 1u);
  EXPECT_EQ(machines.add(machine("A", 8), "A"), 2u);
  EXPECT_EQ(machines.add({}, "A"), 1u);
  EXPECT_EQ(machines.add(machine("A", 8), "A"), 2u) << "added again";
  EXPECT_EQ(machines.identities(), (Texts{"A, 1 core", "A, 8 cores"}));
}

TEST(Machines, DifferIfOnlyTheirGpuIsTheSame) {
  Machines machines;
  EXPECT_EQ(machines.add(machine("A", 1, "GPU"), "GPU"), 1u);
  EXPECT_EQ(machines.add(machine("B", 8, "GPU"), "GPU"), 1u) << "whatever the host";
  EXPECT_EQ(machines.add(machine("A", 1, "GPU"), "A"), 1u);
  EXPECT_EQ(machines.add(machine("B", 8, "GPU"), "B"), 2u);
}

}  // namespace
}  // namespace ladder
