// A session is carried on from its provenance file only where that is one.
#include "harness/program/session.hpp"

#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

TEST(SessionProvenance, IsReadAsItWasWritten) {
  const std::string text = R"({"plan":"00d3","cells":["a","b"],"timing":{"wall_seconds":1.5},"other":[1,{"x":null}]})";
  EXPECT_EQ(parse_provenance(text).dump(), text);
  EXPECT_EQ(parse_provenance("{}").dump(), "{}");
}

TEST(SessionProvenance, IsNoneWhereAMemberIsOfAnotherType) {
  for (const char* text :
       {"", "[]", "3", "{\"plan\": 3}", "{\"cells\": {\"a\": \"b\"}}", "{\"cells\": [\"a\", 1]}", "{\"timing\": [1]}",
        "{\"timing\": 3}", "{\"timing\": {\"wall_seconds\": \"long\"}}", "{\"plan\": \"a\""})
    EXPECT_TRUE(parse_provenance(text).is_null()) << text;
}

TEST(SessionProvenance, IsNotDeeperThanItCanBeWrittenAgain) {
  const auto nested = [](std::size_t depth) { return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}"; };
  EXPECT_FALSE(parse_provenance(nested(50)).is_null());
  EXPECT_TRUE(parse_provenance(nested(1'000'000)).is_null());
}

TEST(Sessions, OfProfilesAreNotThoseOfSamples) {
  const test::Folder folder;
  folder.write("here.20261121T000000Z-0001.json", "{}");
  folder.write("here.profile.20261121T000000Z-0002.json", "{}");
  const auto sessions = Session::all(folder.path(), "here");
  ASSERT_EQ(sessions.size(), 1u) << "nothing would be carried on from a profile";
  EXPECT_EQ(sessions[0].id(), "20261121T000000Z-0001");
  ASSERT_EQ(Session::all(folder.path(), "here.profile").size(), 1u);
  EXPECT_EQ(Session::all(folder.path(), "here.profile")[0].id(), "20261121T000000Z-0002");
}

}  // namespace
}  // namespace ladder
