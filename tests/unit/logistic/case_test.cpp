#include <gtest/gtest.h>

#include <array>
#include <set>

#include "tests/support/error.hpp"
#include "tests/support/text.hpp"
#include "variants/logistic/model.hpp"

namespace logistic {
namespace {

using ladder::test::contains;
using ladder::test::input_error;

/// The state of the reference after `steps` steps.
ladder::Populations run(const Case& c, std::int64_t steps) {
  Reference reference(c);
  reference.advance(steps);
  ladder::Populations state(q, {{}, c.grid()});
  reference.store(state);
  return state;
}

static_assert(lattice::Lattice<Lattice>);

TEST(Array, HasItsSizeInItsNameAndTheStepsOfThePublication) {
  const Case c = Model::make_case("mixed-48x32");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{48, 32, 1}));
  EXPECT_EQ(c.steps, 100'000);
  EXPECT_TRUE(c.is_mixed);
  EXPECT_FALSE(Model::make_case("random-48x32").is_mixed);
  EXPECT_EQ(Model::make_case("random-1024").cells(), 1024 * 1024);
}

TEST(Array, NamesWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const auto* name : {"random-2", "random-", "mixed-x", "mixed-8x8x8", "random-70000"})
    EXPECT_TRUE(contains(error(name), name)) << name;
  EXPECT_TRUE(contains(error("radnom-64"), "did you mean 'random-64'?"));
  EXPECT_TRUE(contains(input_error([] { Model::read_case({}); }), "--case random-64"));
}

TEST(Array, OfAnotherKindStartOrSizeHasAnotherContent) {
  const Case c = Model::make_case("random-8x9");
  const std::set<std::string> contents = {c.content(), Model::seeded(c).content(), Model::make_case("mixed-8x9").content(),
                                          Model::make_case("random-9x8").content()};
  EXPECT_EQ(contents.size(), 4u);
}

TEST(Words, DifferInEveryElementIfTheyAreRandom) {
  const Case c = Model::make_case("random-1024");
  const auto [a, b] = c.all_words();
  for (std::size_t n = 0; n < a.size(); ++n)
    ASSERT_NE(a[n], b[n]) << n;
}

TEST(Words, AreEqualInHalfOfTheElementsOfMixedAndSeededCasesAndElseDifferInOneByte) {
  for (const Case& c : {Model::make_case("mixed-256"), Model::seeded(Model::make_case("random-256"))}) {
    std::array<int, 5> count{};  // number of elements whose words differ in byte k; the last counts those without a difference
    const auto [a, b] = c.all_words();
    for (std::size_t n = 0; n < a.size(); ++n) {
      const std::uint32_t change = a[n] ^ b[n];
      std::size_t byte = 0;
      while (byte < 4 && (change >> 8 * byte & 255) == 0)
        ++byte;
      ++count[byte];
      if (byte < 4) {
        EXPECT_EQ(change & ~(255u << 8 * byte), 0u);
      }
    }
    EXPECT_NEAR(count[4], 32768, 600);
    for (std::size_t byte = 0; byte < 4; ++byte)
      EXPECT_NEAR(count[byte], 8192, 400) << byte;
  }
}

TEST(Words, OfAPartAreThoseOfTheWhole) {
  const Case whole = Model::make_case("mixed-20x10");
  const Case part = Model::part(whole, {{18, 3, 0}, {5, 4, 1}});
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      const Words expected = whole.words((18 + x) % 20, 3 + y), got = part.words(x, y);
      EXPECT_EQ(got.a, expected.a);
      EXPECT_EQ(got.b, expected.b);
      EXPECT_EQ(part.initial(x, y, 0), whole.initial((18 + x) % 20, 3 + y, 0));
    }
}

TEST(Reference, AdvancesEachElementByTheFactorOfItsWords) {
  const Case c = Model::make_case("mixed-16x8");
  const ladder::Populations state = run(c, 2);
  int equal = 0;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const Words words = c.words(x, y);
      equal += words.a == words.b;
      const double r = words.a == words.b ? 3.8 : 4, start = c.initial(x, y, 0)[0];
      const double once = r * start * (1 - start);
      EXPECT_NEAR(state.at(0, state.box.number(x, y, 0)), r * once * (1 - once), 1e-15);
    }
  EXPECT_GT(equal, 32);
  EXPECT_LT(equal, 96);
}

TEST(Reference, IsStillBetween0And1AfterThousandsOfSteps) {
  const Case c = Model::make_case("mixed-16x8");
  const ladder::Populations state = run(c, 10'000);
  for (const double x : state.f) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
  }
  const double mean = Model::series(c, state, 10'000).front();
  EXPECT_NEAR(mean, 0.57, 0.15) << "the mean of the invariant density is 1/2 at factor 4 and 0.64 at 3.8";
}

TEST(Update, TakesThreeOperations) {
  const auto forms = Model::operations();
  ASSERT_EQ(forms.size(), 1u);
  EXPECT_EQ(forms[0].mul, 2);
  EXPECT_EQ(forms[0].add, 1);
  EXPECT_EQ(forms[0].total(), 3);
}

}  // namespace
}  // namespace logistic
