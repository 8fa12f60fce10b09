#include "harness/run/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ladder {
namespace {

using Points = std::vector<Point>;

/// All points of a × b with a product of at most `most`.
Space space_of(const std::vector<int>& a, const std::vector<int>& b, int most) {
  Space space{
      .names = {"a", "b"}, .combinations = static_cast<std::int64_t>(a.size() * b.size()), .constraints = {}, .legal = {}};
  for (const int x : a)
    for (const int y : b)
      if (x * y <= most) space.legal.push_back({x, y});
  return space;
}

const std::vector<int> powers = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

/// A speed with a single maximum, at (32, 4), and the number of times that each point was measured.
struct Hill {
  std::map<Point, int> asked;

  Measure measure() {
    return [this](const Points& points) {
      std::vector<double> speeds;
      for (const Point& p : points) {
        ++asked[p];
        speeds.push_back(100 - std::abs(std::log2(p[0]) - 5) - std::abs(std::log2(p[1]) - 2));
      }
      return speeds;
    };
  }
};

TEST(Space, IsReadFromTheAnswerOfARung) {
  const auto space = parse_space(
      R"({"names": ["wy", "wx"], "combinations": 4, "constraints": [{"text": "wx <= 1", "refused": 2}], "tunings": [[1, 1], [2, 1]]})");
  ASSERT_TRUE(space);
  EXPECT_EQ(space->legal, (Points{{1, 1}, {2, 1}}));
  EXPECT_EQ(space->combinations, 4);
  EXPECT_EQ(space->constraints[0].refused, 2);
  EXPECT_EQ(space->name({2, 1}), "wx=1;wy=2");
}

TEST(Space, IsNothingWhereTheAnswerIsAnother) {
  for (const char* text : {"", "[]", "{}", R"({"names": ["a"], "combinations": 1, "constraints": [], "tunings": [[1, 2]]})",
                           R"({"names": ["a"], "combinations": 1, "constraints": [], "tunings": [["x"]]})",
                           R"({"names": ["a"], "combinations": 1, "constraints": [], "tunings": [[1.5]]})",
                           R"({"names": ["a"], "combinations": -1, "constraints": [], "tunings": [[1]]})"})
    EXPECT_FALSE(parse_space(text)) << text;
}

TEST(Neighbours, DifferInOneTunableByOneValue) {
  const Space space = space_of({1, 2, 8}, {1, 4, 16}, 1000);
  EXPECT_EQ(neighbours(space, {2, 4}), (Points{{1, 4}, {8, 4}, {2, 1}, {2, 16}}));
  EXPECT_EQ(neighbours(space, {1, 1}), (Points{{2, 1}, {1, 4}}));
}

TEST(Neighbours, AreLegal) { EXPECT_EQ(neighbours(space_of({1, 2, 8}, {1, 4, 16}, 32), {2, 16}), (Points{{1, 16}, {2, 4}})); }

TEST(Products, AreOneWhereEveryCombinationIsThere) {
  EXPECT_EQ(products(space_of({1, 2}, {4, 8, 16}, 1000).legal), (std::vector<Points>{{{1, 2}, {4, 8, 16}}}));
  EXPECT_EQ(products({{3}}), (std::vector<Points>{{{3}}}));
  EXPECT_TRUE(products({}).empty());
}

TEST(Products, HoldEveryPointOnceAndNoOther) {
  Points points;
  for (const Point& p : space_of(powers, powers, 1024).legal)
    for (const int c : {1, 3})
      if (p[1] * c < 600) points.push_back({p[0], p[1], c});
  Points expanded;
  for (const auto& product : products(points))
    for (const int a : product[0])
      for (const int b : product[1])
        for (const int c : product[2])
          expanded.push_back({a, b, c});
  std::sort(expanded.begin(), expanded.end());
  std::sort(points.begin(), points.end());
  EXPECT_EQ(expanded, points);
  EXPECT_LT(products(points).size(), 12u);
}

TEST(Search, MeasuresEveryPointOfASmallSpaceOnce) {
  const Space space = space_of({1, 2, 4, 8, 16, 32, 64, 128}, {1, 2, 4, 8, 16, 32, 64, 128}, 4096);
  Hill hill;
  const SearchResult found = search(space, {.initial = {128, 1}}, hill.measure());
  EXPECT_EQ(found.end, SearchResult::End::whole);
  EXPECT_EQ(hill.asked.size(), space.legal.size());
  for (const auto& [point, times] : hill.asked)
    EXPECT_EQ(times, 1);
  EXPECT_EQ(found.fastest(1), (Points{{32, 4}}));
  EXPECT_EQ(found.fastest(100).size(), space.legal.size());
}

TEST(Search, ClimbsALargeSpaceToItsSummit) {
  const Space space = space_of(powers, powers, 1 << 17);
  ASSERT_GT(space.legal.size(), 64u);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Hill hill;
    const SearchResult found = search(space, {.initial = {512, 1}, .seed = seed, .batch = 4}, hill.measure());
    EXPECT_EQ(found.end, SearchResult::End::no_better_neighbour);
    EXPECT_EQ(found.fastest(1), (Points{{32, 4}}));
    EXPECT_TRUE(found.speeds.contains({512, 1}));
    EXPECT_LT(found.speeds.size(), space.legal.size() / 2);
    for (const auto& [point, times] : hill.asked)
      EXPECT_EQ(times, 1);
  }
}

TEST(Search, LeavesALowSummitThatItStartedFrom) {
  const Space space = space_of(powers, powers, 1 << 17);
  // The initial point is faster than all its neighbours, and than any random point except those on the hill.
  Hill hill;
  const auto measure = [&](const Points& points) {
    auto speeds = hill.measure()(points);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] == Point{512, 256}) speeds[i] = 99.5;
    return speeds;
  };
  const SearchResult found = search(space, {.initial = {512, 256}}, measure);
  EXPECT_EQ(found.fastest(2), (Points{{32, 4}, {512, 256}}));
}

TEST(Search, MeasuresALargeSpaceWholeWhereTimeDoes) {
  const Space space = space_of(powers, powers, 1 << 17);
  Hill hill;
  std::size_t rest = 0;
  const auto affords = [&](std::size_t points) { return (rest = points) > 0; };
  const SearchResult found = search(space, {.initial = {1, 1}, .affords = affords}, hill.measure());
  EXPECT_EQ(found.end, SearchResult::End::whole);
  EXPECT_EQ(rest, space.legal.size() - 16);
  EXPECT_EQ(found.speeds.size(), space.legal.size());
}

TEST(Search, EndsBetweenTwoBatchesWhereNoTimeIsLeft) {
  for (const std::size_t small : {64, 1000}) {
    Hill hill;
    int asked = 0;
    const auto has_time = [&] { return ++asked < 2; };
    const SearchResult found = search(space_of(powers, powers, 1 << 17),
                                      {.initial = {1, 512}, .batch = 3, .small = small, .has_time = has_time}, hill.measure());
    EXPECT_EQ(found.end, SearchResult::End::no_time);
    EXPECT_LE(found.speeds.size(), 7u);
  }
}

TEST(Search, TriesOtherRandomPointsWhereTheFirstHaveNoSpeed) {
  const Space space = space_of(powers, powers, 1 << 17);
  int batches = 0;
  const auto measure = [&](const Points& points) {
    ++batches;
    std::vector<double> speeds;
    for (const Point& p : points)
      speeds.push_back(batches > 2 && p[0] != 512 ? 1.0 * p[0] : 0);
    return speeds;
  };
  const SearchResult found = search(space, {.initial = {512, 1}, .batch = 2}, measure);
  EXPECT_EQ(found.end, SearchResult::End::no_better_neighbour);
  EXPECT_EQ(found.fastest(1).at(0)[0], 256);
}

TEST(Search, EndsWhereNothingHasASpeed) {
  const Space space = space_of(powers, powers, 1 << 17);
  const auto measure = [](const Points& points) { return std::vector<double>(points.size(), 0); };
  const SearchResult found = search(space, {.initial = {1, 1}}, measure);
  EXPECT_EQ(found.speeds.size(), space.legal.size());
  EXPECT_TRUE(found.fastest(5).empty());
}

TEST(Search, DoesNotTryAnInitialPointThatIsNotLegal) {
  Hill hill;
  const SearchResult found = search(space_of({1, 2, 4}, {1, 2, 4}, 8), {.initial = {4, 4}}, hill.measure());
  EXPECT_EQ(found.speeds.size(), 8u);
  EXPECT_FALSE(found.speeds.contains({4, 4}));
}

TEST(Search, IsTheSameForTheSameSeed) {
  const Space space = space_of(powers, powers, 1 << 17);
  const auto order = [&](std::uint64_t seed) {
    Points points;
    const auto measure = [&](const Points& batch) {
      points.insert(points.end(), batch.begin(), batch.end());
      return std::vector<double>(batch.size(), 1);
    };
    search(space, {.initial = {1, 1}, .seed = seed}, measure);
    return points;
  };
  EXPECT_EQ(order(7), order(7));
  EXPECT_NE(order(7), order(8));
  EXPECT_EQ(order(7).front(), (Point{1, 1}));
}

}  // namespace
}  // namespace ladder
