// A session is carried on from its provenance file only where that is one.
#include "harness/program/session.hpp"

#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

TEST(Sessions, WhoseFileIsNoProvenanceAreNoSessions) {
  const test::Folder folder;
  for (const char* text : {"", "[1", R"({"plan": 3})", R"({"cells": ["a", 1]})", R"({"timing": [1]})"}) {
    folder.write("here.20261121T000000Z-0001.json", text);
    EXPECT_TRUE(Session::all(folder.path(), "here").empty()) << text;
  }
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
