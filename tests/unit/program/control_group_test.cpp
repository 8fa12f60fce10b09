// Limits of nested control groups.
#include "base/control_group.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

class Groups : public testing::Test {
 protected:
  Groups() {
    std::filesystem::create_directories(root.path() / "outer/inner");
    root.write("member", "1:name=systemd:/elsewhere\n0::/outer/inner\n");
  }
  [[nodiscard]] ControlGroups limits() const { return control_groups(root.path() / "member", root.path()); }

  const test::Folder root;
};

TEST_F(Groups, LimitNothingByDefault) {
  EXPECT_TRUE(std::isinf(limits().memory_bytes));
  EXPECT_TRUE(std::isinf(limits().processors));
  root.write("outer/inner/memory.max", "max\n");
  root.write("outer/inner/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(limits().memory_bytes));
  EXPECT_TRUE(std::isinf(limits().processors));
}

TEST_F(Groups, LimitWhatTheyContainUpToTheRoot) {
  root.write("outer/inner/memory.max", "3000\n");
  root.write("outer/memory.max", "2000\n");
  root.write("outer/memory.current", "500\n");
  root.write("outer/memory.stat", "anon 400\ninactive_file 100\n");
  root.write("memory.max", "9000\n");
  EXPECT_EQ(limits().memory_bytes, 1600);
  root.write("outer/inner/cpu.max", "400000 100000\n");
  root.write("cpu.max", "150000 100000\n");
  EXPECT_EQ(limits().processors, 1.5);
}

TEST_F(Groups, CountTheSchedulingPeriodsOfTheLowestQuota) {
  EXPECT_EQ(throttled_fraction(limits(), limits()), 0);
  const auto set = [&](int periods, int throttled) {
    root.write("outer/cpu.stat", "usage_usec 7\nnr_periods " + std::to_string(periods) + "\nnr_throttled " +
                                     std::to_string(throttled) + "\nthrottled_usec 9\n");
    return limits();
  };
  root.write("outer/inner/cpu.max", "400000 100000\n");
  root.write("outer/inner/cpu.stat", "nr_periods 100\nnr_throttled 50\n");
  root.write("outer/cpu.max", "150000 100000\n");
  const ControlGroups before = set(40, 10);
  EXPECT_EQ(throttled_fraction(before, set(40, 10)), 0) << "no period has passed";
  EXPECT_EQ(throttled_fraction(before, set(60, 15)), 0.25);
}

TEST_F(Groups, OutsideTheNamespaceCountAsTheRoot) {
  root.write("member", "0::/../../host\n");
  root.write("memory.max", "9000\n");
  EXPECT_EQ(limits().memory_bytes, 9000);
  EXPECT_EQ(control_groups(root.path() / "none", root.path()).memory_bytes, 9000);
}

}  // namespace
}  // namespace ladder
