// The number of parts that a process divides its work into.
#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/devices/wanted.hpp"

namespace ladder {
namespace {

class WantedDevices : public testing::Test {
 protected:
  ~WantedDevices() override { unsetenv("LADDER_DEVICES"); }
  static int with(const char* text) {
    setenv("LADDER_DEVICES", text, 1);
    return wanted_devices();
  }
};

TEST_F(WantedDevices, AreOneUnlessTheEnvironmentNamesANumber) {
  unsetenv("LADDER_DEVICES");
  EXPECT_EQ(wanted_devices(), 1);
  EXPECT_EQ(with("1"), 1);
  EXPECT_EQ(with("12"), 12);
}

TEST_F(WantedDevices, AreRefusedIfTheyAreNoNumberFromOne) {
  for (const char* text : {"", "0", "-3", "3x", "abc", " 2", "2.5", "99999999999"})
    EXPECT_THROW(with(text), InputError) << '"' << text << '"';
}

}  // namespace
}  // namespace ladder
