// A session is continued only if its provenance file is valid.
#include "harness/run/session.hpp"

#include <gtest/gtest.h>

#include "tests/support/error.hpp"
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

TEST(Sessions, ThatCannotBeReadNowAreNotTakenForNone) {
  const test::Folder folder;
  // A file that gives an I/O error at its first byte.
  std::filesystem::create_symlink("/proc/self/mem", folder.path() / "here.20261121T000000Z-0001.json");
  EXPECT_TRUE(test::contains(test::input_error([&] { Session::all(folder.path(), "here"); }),
                             "here.20261121T000000Z-0001.json: cannot be read to the end: Input/output error"));
}

TEST(Sessions, AreFiles) {
  const test::Folder folder;
  std::filesystem::create_directory(folder.path() / "here.20261121T000000Z-0001.json");
  std::filesystem::create_symlink("here.20261121T000000Z-0002.json", folder.path() / "here.20261121T000000Z-0002.json");
  EXPECT_TRUE(Session::all(folder.path(), "here").empty());
}

TEST(Sessions, OfProfilesAreNotThoseOfSamples) {
  const test::Folder folder;
  folder.write("here.20261121T000000Z-0001.json", "{}");
  folder.write("here.profile.20261121T000000Z-0002.json", "{}");
  const auto sessions = Session::all(folder.path(), "here");
  ASSERT_EQ(sessions.size(), 1u) << "sessions of samples do not continue those of profiles";
  EXPECT_EQ(sessions[0].id(), "20261121T000000Z-0001");
  ASSERT_EQ(Session::all(folder.path(), "here.profile").size(), 1u);
  EXPECT_EQ(Session::all(folder.path(), "here.profile")[0].id(), "20261121T000000Z-0002");
}

}  // namespace
}  // namespace ladder
