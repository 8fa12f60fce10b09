#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <utility>

#include "base/untouched.hpp"

namespace ladder {
namespace {

using Part = std::pair<std::int64_t, std::int64_t>;

TEST(InParts, CoverTheWholeOnceAndInOrder) {
  for (const std::int64_t n : {0, 1, 2, 3, 100, 101}) {
    const auto parts = in_parts(n, 1, [](std::int64_t first, std::int64_t last) { return Part(first, last); });
    std::int64_t next = 0;
    for (const Part& part : parts) {
      EXPECT_EQ(part.first, next);
      next = part.second;
    }
    EXPECT_EQ(next, n);
    EXPECT_LE(std::ssize(parts), std::max<std::int64_t>(1, std::min<std::int64_t>(n, processors())));
  }
}

TEST(InParts, AreNoSmallerThanAsked) {
  const auto part = [](std::int64_t first, std::int64_t last) { return last - first; };
  EXPECT_EQ(in_parts(1999, 1000, part), std::vector<std::int64_t>{1999});
  for (const std::int64_t size : in_parts(100'000, 30'000, part))
    EXPECT_GE(size, 30'000);
}

TEST(InParts, OfWorkWithoutAnAnswerAreAllDone) {
  std::atomic<std::int64_t> sum = 0;
  in_parts(1000, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      sum += i;
  });
  EXPECT_EQ(sum, 499'500);
}

TEST(Numbers, LieOnHugePagesWhereThereAreMany) {
  Numbers<float> few(5, 1.0F);
  Numbers<float> many(1 << 20);
  EXPECT_EQ(std::accumulate(few.begin(), few.end(), 0.0F), 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(many.data()) % (2 << 20), 0U);
}

}  // namespace
}  // namespace ladder
