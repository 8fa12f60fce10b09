// The ceilings that a part of a study needs.
#include "harness/run/needed_ceilings.hpp"

#include <gtest/gtest.h>

namespace ladder {
namespace {

using Names = std::vector<std::string>;

Executable executable_of(const std::string& id, const std::string& backend) {
  Executable executable;
  executable.id = id;
  executable.backend = backend;
  return executable;
}

/// An executable of a backend that measures multiply-adds.
Executable ceilings_of(const std::string& backend) {
  CeilingDescription fma;
  fma.name = "fma";
  fma.flops_per_element = 2;
  Executable executable = executable_of("ceiling/" + backend, backend);
  executable.description.ceilings = {fma};
  return executable;
}

class NeededCeilings : public testing::Test {
 protected:
  const Executable serial = executable_of("d2q9/serial/01_a", "serial");
  const Executable openmp = ceilings_of("openmp"), cuda = ceilings_of("cuda");
  std::vector<Cell> cells;

  Cell& add(const Executable& executable, const std::string& placement, int threads) {
    const bool is_ceiling = !executable.description.ceilings.empty();
    Cell& cell = cells.emplace_back();
    cell.executable = &executable;
    cell.row.kind = is_ceiling ? "ceiling" : "sample";
    cell.row.rung = executable.id + (is_ceiling ? "/fma" : "");
    cell.row.case_name = is_ceiling ? "ws-65536" : "box-16";
    cell.row.backend = executable.backend;
    cell.row.precision = "f32";
    cell.placement = parse_placement(placement.empty() ? "threads=all" : placement);
    cell.row.placement = placement;
    cell.row.threads = threads;
    return cell;
  }
  /// The ceilings that are kept if no device is a GPU.
  Names kept() {
    keep_needed_ceilings(cells, [](const Executable&) { return false; });
    Names names;
    for (const Cell& cell : cells)
      if (cell.is_ceiling()) names.push_back(cell.row.backend + " " + cell.row.placement);
    return names;
  }
};

TEST_F(NeededCeilings, HaveTheNumberOfWorkersOrThePlacementOfACell) {
  add(serial, "", 1);
  add(openmp, "threads=1", 1);
  add(openmp, "threads=2", 2);
  add(openmp, "", 4);
  EXPECT_EQ(kept(), (Names{"openmp threads=1", "openmp "}));
}

TEST_F(NeededCeilings, CanRunHere) {
  add(serial, "", 1);
  add(cuda, "", 1).unavailable = "no driver";
  add(openmp, "", 4);
  EXPECT_EQ(kept(), (Names{"openmp "}));
}

}  // namespace
}  // namespace ladder
