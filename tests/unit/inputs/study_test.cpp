// Numbers of a study.toml.
#include "harness/program/study.hpp"

#include <gtest/gtest.h>

#include "tests/support/error.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

constexpr const char* matrix = "\n[[matrix]]\nrungs = [\"*\"]\ncases = [\"box-4\"]\n";

TEST(Study, TimesAreNumbersAboveZero) {
  EXPECT_EQ(parse_study("study.toml", std::string("sample_seconds = 2") + matrix).sample_seconds, 2);
  for (const char* value : {"9007199254740993", "-9007199254740993", "9223372036854775807", "nan", "inf", "0", "1e7", "\"1\""})
    EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", std::string("sample_seconds = ") + value + matrix); }),
                         "study.toml:1: sample_seconds: accepted is a number above 0, at most 1e6"))
        << value;
}

TEST(Study, MayBeAskedForByAnyName) {
  for (const std::string& name : {std::string(300, 'a'), std::string("none"), std::string("\0x", 2)})
    EXPECT_TRUE(contains(input_error([&] { find_study("experiments", name); }), "no study '"));
}

}  // namespace
}  // namespace ladder
