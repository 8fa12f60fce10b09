#include "roofline/ceilings/options.hpp"

#include <gtest/gtest.h>

#include "roofline/model/number.hpp"
#include "tests/support/error.hpp"

namespace {

using namespace ladder::ceilings;
using ladder::find_number;
using ladder::test::input_error;
using testing::Test;

TEST(FindKind, KnowsEveryKind) {
  for (const Kind& kind : kinds)
    EXPECT_EQ(find_kind(kind.name).name, kind.name);
}

TEST(FindKind, SuggestsTheNearestName) {
  const std::string message = input_error([] { find_kind("traid"); });
  EXPECT_NE(message.find("did you mean 'triad'?"), std::string::npos) << message;
  EXPECT_NE(message.find("copy-37"), std::string::npos) << message;
}

TEST(FindMaker, KnowsWhatABackendHas) {
  const Maker has[] = {{"copy", nullptr}, {"triad", nullptr}};
  EXPECT_EQ(find_maker("triad", has).name, "triad");
  const std::string message = input_error([&] { find_maker("grid-sync", has); });
  EXPECT_NE(message.find("unknown ceiling 'grid-sync'"), std::string::npos) << message;
  EXPECT_NE(message.find("accepted: copy, triad"), std::string::npos) << message;
}

TEST(StoresOf, AreTwoWhereSomethingIsWritten) {
  EXPECT_EQ(stores_of(find_kind("copy-9")), (std::vector{Store::plain, Store::nt}));
  EXPECT_EQ(stores_of(find_kind("read")), std::vector{Store::plain});
  EXPECT_EQ(stores_of(find_kind("fma")), std::vector{Store::plain});
}

TEST(FindNumber, GivesTheBytesOfANumber) {
  EXPECT_EQ(find_number("f32").bytes, 4U);
  EXPECT_EQ(find_number("f64").bytes, 8U);
  EXPECT_EQ(find_number("f16").bytes, 2U);
  EXPECT_EQ(input_error([] { find_number("f8"); }), "precision 'f8': accepted are f32, f64 and f16");
}

TEST(ParseStore, TakesTheFastestWhereNoneIsAsked) {
  EXPECT_EQ(parse_store(find_kind("triad"), {}), Store::nt);
  EXPECT_EQ(parse_store(find_kind("read"), {}), Store::plain);
}

TEST(ParseStore, TakesTheOneAskedFor) {
  EXPECT_EQ(parse_store(find_kind("triad"), {"store=plain"}), Store::plain);
  EXPECT_EQ(parse_store(find_kind("triad"), {"store=nt"}), Store::nt);
}

TEST(ParseStore, RefusesWhatTheCeilingHasNot) {
  EXPECT_NE(input_error([] { parse_store(find_kind("read"), {"store=nt"}); }).find("read accepts store=plain"),
            std::string::npos);
  for (const char* setting : {"store=fast", "store", "store=", "wx=8", "", "store=ntx"})
    EXPECT_NE(input_error([&] { parse_store(find_kind("copy"), {setting}); }).find("copy accepts store=plain, store=nt"),
              std::string::npos)
        << setting;
}

}  // namespace
