#include "backends/simd/row_stream.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "backends/memory/array.hpp"

namespace ladder {
namespace {

constexpr int rows = 3;

template <class T>
class RowStreamOf : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(RowStreamOf, Numbers);

/// Rows of `vectors` vectors, each in an array of five cache lines, after writing: element x of row i is 100 i + x.
template <class T>
std::vector<T> written(int vectors) {
  constexpr std::int64_t stride = 5 * cache_line_bytes / sizeof(T);
  Array<T> numbers(rows * stride);
  for (std::int64_t n = 0; n < rows * stride; ++n)
    numbers.data()[n] = -1;
  RowStream<T, rows> stream(numbers.data(), stride);
  for (std::int64_t x = 0; x < vectors * Vector<T>::size; x += Vector<T>::size)
    stream.write(x, [&](int i) {
      T lanes[Vector<T>::size];
      for (int lane = 0; lane < Vector<T>::size; ++lane)
        lanes[lane] = static_cast<T>(100 * i + x + lane);
      return Vector<T>::load(lanes);
    });
  stream.finish();
  return {numbers.data(), numbers.data() + rows * stride};
}

TYPED_TEST(RowStreamOf, WritesWholeLinesAndTheVectorsThatFillNone) {
  constexpr std::int64_t stride = 5 * cache_line_bytes / sizeof(TypeParam);
  constexpr int vectors_of_line = cache_line_bytes / sizeof(TypeParam) / Vector<TypeParam>::size;
  for (int vectors = 0; vectors <= 4 * vectors_of_line; ++vectors) {
    const auto numbers = written<TypeParam>(vectors);
    for (int i = 0; i < rows; ++i)
      for (std::int64_t x = 0; x < stride; ++x)
        ASSERT_EQ(numbers[static_cast<std::size_t>(i * stride + x)],
                  x < vectors * Vector<TypeParam>::size ? static_cast<TypeParam>(100 * i + x) : TypeParam(-1))
            << "row " << i << ", number " << x << " of " << vectors << " vectors";
  }
}

}  // namespace
}  // namespace ladder
