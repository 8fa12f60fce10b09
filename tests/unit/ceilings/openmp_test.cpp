#include <gtest/gtest.h>

#include "roofline/ceilings/openmp/copy_q.hpp"
#include "roofline/ceilings/openmp/fma.hpp"
#include "roofline/ceilings/openmp/launch.hpp"
#include "roofline/ceilings/openmp/read.hpp"
#include "roofline/ceilings/openmp/stream.hpp"
#include "roofline/ceilings/options.hpp"
#include "tests/support/error.hpp"

namespace {

using namespace ladder::ceilings;
using ladder::test::input_error;

Request request(std::string_view name, std::size_t real, std::size_t bytes) {
  return {.kind = find_kind(name), .real = real, .bytes = bytes, .store = Store::plain};
}

/// Sweeps an odd and an even number of times, in several calls; the result must be right after each.
void expect_right(Ceiling& ceiling) {
  for (const std::int64_t times : {1, 1, 5, 8}) {
    ceiling.sweep(times);
    ceiling.wait();
    EXPECT_EQ(ceiling.wrong(), "") << times;
  }
}

template <class C>
void expect_right(std::string_view name, std::size_t real) {
  for (const std::size_t bytes : {std::size_t{20000}, std::size_t{1} << 20, std::size_t{3} << 20}) {
    C ceiling(request(name, real, bytes));
    EXPECT_LE(ceiling.footprint(), static_cast<double>(bytes));
    EXPECT_GT(ceiling.footprint(), 0.7 * static_cast<double>(bytes)) << name << " " << bytes;
    expect_right(ceiling);
  }
}

template <class T, Store store>
void expect_all_right() {
  expect_right<Stream<T, store, Copy>>("copy", sizeof(T));
  expect_right<Stream<T, store, Scale>>("scale", sizeof(T));
  expect_right<Stream<T, store, Add>>("add", sizeof(T));
  expect_right<Stream<T, store, Triad>>("triad", sizeof(T));
  expect_right<CopyQ<T, store, 9>>("copy-9", sizeof(T));
  expect_right<CopyQ<T, store, 37>>("copy-37", sizeof(T));
}

TEST(OpenmpCeilings, LeaveTheRightNumbersWithOrdinaryStores) {
  expect_all_right<float, Store::plain>();
  expect_all_right<double, Store::plain>();
}

TEST(OpenmpCeilings, LeaveTheRightNumbersWithNonTemporalStores) {
  expect_all_right<float, Store::nt>();
  expect_all_right<double, Store::nt>();
}

TEST(OpenmpCeilings, AddUpWhatTheyRead) {
  expect_right<Read<float>>("read", sizeof(float));
  expect_right<Read<double>>("read", sizeof(double));
}

TEST(OpenmpCeilings, MultiplyAndAddExactly) {
  Fma<float> single(request("fma", sizeof(float), 0));
  expect_right(single);
  Fma<double> twice(request("fma", sizeof(double), 0));
  expect_right(twice);
}

TEST(OpenmpCeilings, CountLaunchesOnEveryThread) {
  Launch launch;
  expect_right(launch);
  EXPECT_EQ(launch.elements(), 1);
}

TEST(OpenmpCeilings, CountElementsByTheBytesOfTheKind) {
  const CopyQ<float, Store::plain, 9> lattice(request("copy-9", sizeof(float), 72 << 10));
  EXPECT_EQ(lattice.elements(), 1024);
  EXPECT_EQ(lattice.footprint(), 72 << 10);
  const Stream<double, Store::plain, Triad> triad(request("triad", sizeof(double), 24 << 10));
  EXPECT_EQ(triad.elements(), 1024);
}

TEST(OpenmpCeilings, AreWrongBeforeTheyHaveSwept) {
  Stream<float, Store::plain, Copy> copy(request("copy", sizeof(float), 1 << 16));
  EXPECT_NE(copy.wrong().find("is nan"), std::string::npos);
}

/// Computes a different result on vectors than on scalars.
struct Broken {
  static constexpr int sources = 1;
  static double apply(double a, double) { return 2 * a; }
  template <class R>
  static R apply(R a, R) {
    return a;
  }
};

TEST(OpenmpCeilings, AreWrongWhereTheKernelIs) {
  Stream<float, Store::plain, Broken> broken(request("copy", sizeof(float), 1 << 16));
  broken.sweep(1);
  EXPECT_NE(broken.wrong().find("number 0 of array 0 is 1, expected 2"), std::string::npos) << broken.wrong();
}

TEST(OpenmpCeilings, RefuseASizeThatLeavesAThreadWithoutWork) {
  const std::string message = input_error([] { CopyQ<double, Store::plain, 37>(request("copy-37", sizeof(double), 4000)); });
  EXPECT_NE(message.find("--bytes 4000: copy-37 needs at least 4736 bytes for each of"), std::string::npos) << message;
}

TEST(Part, CoversAnArrayWithoutOverlap) {
  for (const int threads : {1, 2, 3, 7}) {
    std::size_t next = 0;
    for (int thread = 0; thread < threads; ++thread) {
      const Part mine = part(160, 16, thread, threads);
      EXPECT_EQ(mine.first, next);
      EXPECT_EQ(mine.first % 16, 0U);
      EXPECT_GT(mine.last, mine.first);
      next = mine.last;
    }
    EXPECT_EQ(next, 160U);
  }
}

}  // namespace
