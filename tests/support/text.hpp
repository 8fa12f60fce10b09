#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ladder::test {

/// For `EXPECT_TRUE(contains(message, "line 3"))`, whose failure output shows the whole message.
inline testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
}

}  // namespace ladder::test
