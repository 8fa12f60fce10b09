#include "base/conditions.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>

namespace ladder {
namespace {

/// Restricts the calling thread to one processor, and restores its affinity at the end.
class Pinned {
 public:
  explicit Pinned(int processor) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(processor), &one);
    ok_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { sched_setaffinity(0, sizeof before_, &before_); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  cpu_set_t before_{};
  bool ok_ = false;
};

int first_processor() {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  int first = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(first), &all))
    ++first;
  return first;
}

void spin(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Watch, SeesWhereThreadsMayRun) {
  const int first = first_processor();
  const Pinned pinned(first);
  ASSERT_TRUE(pinned.ok());
  const Conditions c = Watch("").stop();
  EXPECT_EQ(c.affinity, std::to_string(first));
}

TEST(Watch, CountsTheWorkOfOthersAndNotItsOwn) {
  const Watch alone("");
  spin(std::chrono::milliseconds(500));
  const double before = alone.stop().other_load;

  // Another process runs at the same time.
  const pid_t child = fork();
  if (child == 0) {
    spin(std::chrono::milliseconds(1500));
    _exit(0);
  }
  const Watch beside("");
  spin(std::chrono::milliseconds(500));
  const double others = beside.stop().other_load;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const auto processors = static_cast<double>(std::thread::hardware_concurrency());
  if (before > 0.2 * processors) GTEST_SKIP() << "this machine is busy with " << before << " processors' worth of other work";
  EXPECT_GT(others, before + 0.3) << "the child kept a processor busy, or shared one with us";
}

TEST(Watch, KnowsNothingOfAGpuThatIsNotThere) {
  const Conditions c = Watch("0000ffff:ff:1f.7").stop();
  EXPECT_TRUE(std::isnan(c.gpu_mhz));
  EXPECT_TRUE(std::isnan(c.gpu_celsius));
  EXPECT_TRUE(std::isnan(c.gpu_watts));
  EXPECT_EQ(c.gpu_throttle, "");
}

TEST(Watch, CountsPagesByNode) {
  const Conditions c = Watch("").stop();
  if (c.pages.empty()) GTEST_SKIP() << "this kernel does not report NUMA nodes";
  EXPECT_TRUE(c.pages.starts_with("N0=")) << c.pages;
}

/// A thread that sleeps for the lifetime of this object.
class Sleeper {
 public:
  Sleeper() {
    while (!is_asleep())
      std::this_thread::yield();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    done_.test_and_set();
    done_.notify_one();
    thread_.join();
  }

 private:
  bool is_asleep() const {
    const int id = id_;
    if (id == 0) return false;
    std::ifstream file("/proc/self/task/" + std::to_string(id) + "/stat");
    std::string number, name, state;
    file >> number >> name >> state;
    return state == "S";
  }

  std::atomic<int> id_ = 0;
  std::atomic_flag done_;
  std::thread thread_{[this] {
    id_ = gettid();
    done_.wait(false);
  }};
};

TEST(Watch, CountsTheThreadsThatRun) {
  const Sleeper sleeper;
  {
    const Watch watch("");
    EXPECT_EQ(watch.stop().working_threads, 1);
  }
  const Watch watch("");
  std::thread one([] { spin(std::chrono::milliseconds(1)); });
  one.join();
  std::atomic_flag done;
  std::thread two([&] { done.wait(false); });
  EXPECT_EQ(watch.stop().working_threads, 2) << "this thread and the second one, which is running";
  done.test_and_set();
  done.notify_one();
  two.join();
}

}  // namespace
}  // namespace ladder
