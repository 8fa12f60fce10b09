#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "roofline/ceilings/opencl/copy_q.hpp"
#include "roofline/ceilings/opencl/stream.hpp"
#include "roofline/ceilings/options.hpp"

namespace ladder::ceilings {
namespace {

Request request(std::string_view name, std::size_t real, std::size_t bytes) {
  return {.kind = find_kind(name), .real = real, .bytes = bytes, .store = Store::plain};
}

/// Skipped without an OpenCL device.
class OpenclCeilings : public testing::Test {
 protected:
  void SetUp() override {
    try {
      opencl::Device::select();
    } catch (const Unavailable& e) {
      GTEST_SKIP() << e.what();
    }
  }
};

template <class C>
void expect_right(std::string_view name, std::size_t real) {
  C ceiling(request(name, real, std::size_t{1} << 20));
  for (const std::int64_t times : {1, 1, 5, 8}) {
    ceiling.sweep(times);
    EXPECT_EQ(ceiling.wrong(), "") << name << " " << times;
  }
}

template <class T>
void expect_all_right() {
  for (const std::string_view name : {"copy", "scale", "add", "triad"})
    expect_right<Stream<T>>(name, sizeof(T));
  for (const std::string_view name : {"copy-9", "copy-37"})
    expect_right<CopyQ<T>>(name, sizeof(T));
}

TEST_F(OpenclCeilings, LeaveTheRightNumbers) {
  expect_all_right<float>();
  expect_all_right<double>();
}

TEST_F(OpenclCeilings, AreWrongBeforeTheyHaveSwept) {
  Stream<float> triad(request("triad", sizeof(float), 1 << 16));
  EXPECT_NE(triad.wrong().find("number 0 of array 0 is nan"), std::string::npos) << triad.wrong();
}

/// A buffer whose elements from index 3 on should be the input plus 3 times the input from index 7 on.
template <class T>
class Compared {
 public:
  Compared() : program_(request("copy", sizeof(T), 0), 1), numbers_(50003) {
    for (std::size_t i = 0; i < size(); ++i)
      at(i) = static_cast<T>(pattern(i) + 3 * pattern(7 + i));
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size() - 3; }
  T& at(std::size_t i) { return numbers_[3 + i]; }

  /// Compares at once and in pieces, which must make no difference.
  std::string said() {
    opencl::Buffer<T> buffer(program_.device, numbers_.size());
    buffer.write(numbers_);
    const Expected expected = {.v = 3, .first_v = 7};
    const std::string at_once = first_difference(program_, buffer, 3, size(), 5, expected);
    EXPECT_EQ(first_difference(program_, buffer, 3, size(), 5, expected, 1000), at_once);
    return at_once;
  }

 private:
  Program program_;
  std::vector<T> numbers_;
};

template <class T>
void expect_difference_is_found() {
  Compared<T> compared;
  EXPECT_EQ(compared.said(), "");
  const std::size_t last = compared.size() - 1;
  compared.at(last) = std::nextafter(compared.at(last), T{0});
  EXPECT_NE(compared.said().find("number 49999 of array 5 is "), std::string::npos) << compared.said();
  compared.at(20011) = std::nan("");
  EXPECT_NE(compared.said().find("number 20011 of array 5 is nan"), std::string::npos) << compared.said();
  compared.at(0) = 9;
  EXPECT_EQ(compared.said(), fmt::format("number 0 of array 5 is 9, expected {}", pattern(0) + 3 * pattern(7)));
}

TEST_F(OpenclCeilings, NameTheFirstNumberThatIsWrong) {
  expect_difference_is_found<float>();
  expect_difference_is_found<double>();
}

}  // namespace
}  // namespace ladder::ceilings
