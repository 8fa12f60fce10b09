// Reference states that checks share.
#include "harness/bench/reference_cache.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "harness/bench/check.hpp"
#include "tests/support/folder.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

const Box cells = {{}, {3, 2, 1}};

Populations state_of(double value) {
  Populations state(2, cells);
  for (std::size_t n = 0; n < state.f.size(); ++n)
    state.f[n] = value + static_cast<double>(n);
  return state;
}

struct Loaded {
  bool found = false;
  Populations state{2, cells};
  std::vector<double> history;
};

Loaded load(const ReferenceCache& cache, const std::string& key, std::int64_t step) {
  Loaded result;
  result.found = cache.load(key, step, result.state, result.history);
  return result;
}

TEST(ReferenceCache, GivesBackTheStateOfItsKeyAndStep) {
  const test::Folder folder;
  const ReferenceCache cache(folder.path());
  const std::vector<double> history = {0.5, 0.25};
  cache.save("a", 2, state_of(1), history);
  cache.save("a", 3, state_of(2), history);
  const Loaded loaded = load(cache, "a", 2);
  EXPECT_TRUE(loaded.found);
  EXPECT_EQ(loaded.state.f, state_of(1).f);
  EXPECT_EQ(loaded.history, history);
  EXPECT_EQ(load(cache, "a", 3).state.f, state_of(2).f);
  EXPECT_FALSE(load(cache, "a", 4).found);
  EXPECT_FALSE(load(cache, "b", 2).found);
}

TEST(ReferenceCache, RefusesADamagedFile) {
  const test::Folder folder;
  const ReferenceCache cache(folder.path());
  cache.save("a", 2, state_of(1), {});
  const fs::path file = fs::directory_iterator(folder.path())->path();
  const auto size = fs::file_size(file);
  {
    std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
    damaged.seekp(-3, std::ios::end);
    damaged.put('x');
  }
  EXPECT_FALSE(load(cache, "a", 2).found) << "a byte differs";
  cache.save("a", 2, state_of(1), {});
  EXPECT_TRUE(load(cache, "a", 2).found);
  fs::resize_file(file, size - 8);
  EXPECT_FALSE(load(cache, "a", 2).found) << "it ends too early";
  fs::resize_file(file, size + 8);
  EXPECT_FALSE(load(cache, "a", 2).found) << "it is too long";
}

TEST(ReferenceCache, RemovesTheLeastRecentlyUsedFilesBeyondItsLimit) {
  const test::Folder folder;
  const ReferenceCache cache(folder.path(), 2000);  // a state takes about 200 bytes
  for (int key = 0; key < 12; ++key) {
    cache.save(std::to_string(key), 1, state_of(key), {});
    for (const auto& entry : fs::directory_iterator(folder.path()))  // stored times may have a resolution of seconds
      fs::last_write_time(entry, entry.last_write_time() - std::chrono::seconds(10));
    EXPECT_TRUE(load(cache, "0", 1).found) << key;
  }
  EXPECT_FALSE(load(cache, "1", 1).found);
  EXPECT_TRUE(load(cache, "11", 1).found);
}

TEST(ReferenceCache, KeepsNothingWithoutAFolder) {
  ReferenceCache().save("a", 1, state_of(1), {});
  EXPECT_FALSE(load(ReferenceCache(), "a", 1).found);
}

/// A rung that is the reference itself.
class Copy final : public d2q9::Solver {
 public:
  explicit Copy(const d2q9::Case& c) : reference_(c) {}
  void advance(std::int64_t steps) override { reference_.advance(steps); }
  void store(Populations& out) override { reference_.store(out); }
  void load(const Populations&) override {}
  double conserved() override { return 0; }
  std::span<const double> history() override { return reference_.history(); }

 private:
  d2q9::Reference reference_;
};

CheckResult check_copy() {
  const d2q9::Rung rung = {.follows = "",
                           .traffic =
                               [](double real) {
                                 return Traffic{9 * real, 9 * real};
                               },
                           .make = {[](const d2q9::Case& c, const Number&, const Tuning&) -> std::unique_ptr<d2q9::Solver> {
                             return std::make_unique<Copy>(c);
                           }}};
  return check<d2q9::Model>(rung, d2q9::Model::make_case("porous-12x10"), f64, {}, {1, 2, 9});
}

TEST(ReferenceCache, IsFilledByAnyCheck) {
  const test::Folder folder;
  ASSERT_EQ(setenv("LADDER_REFERENCES", folder.path().c_str(), 1), 0);
  EXPECT_TRUE(check_copy().ok);
  EXPECT_FALSE(fs::is_empty(folder.path()));
  EXPECT_TRUE(check_copy().ok);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    if (entry.path().filename().string().ends_with("-9.state")) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 1U);
  fs::remove(files.front());
  EXPECT_TRUE(check_copy().ok) << "a missing state is computed";
  EXPECT_TRUE(fs::exists(files.front()));
  unsetenv("LADDER_REFERENCES");
}

}  // namespace
}  // namespace ladder
