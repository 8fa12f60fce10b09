// The fortified longjmp() refuses jumps to other stacks.
#undef _FORTIFY_SOURCE

#include "tests/fake_cuda/grid.hpp"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/fake_cuda/random.hpp"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace ladder::cuda {
/// The dynamic shared memory declared in backends/cuda/shared.hpp.
extern thread_local double memory[];
alignas(16) thread_local double memory[fake_cuda::most_shared / sizeof(double)];
}  // namespace ladder::cuda

namespace fake_cuda {

void fail(const std::string& what) {
  constexpr int exit_broken = 4;  // exit code for a failed backend
  std::fprintf(stderr, "fake CUDA: %s\n", what.c_str());
  std::_Exit(exit_broken);
}

namespace {

/// This thread's thread-local variables from the executable: shared memory, and others.
class ThreadLocals {
 public:
  ThreadLocals() {
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* self) {
          for (int n = 0; n < program->dlpi_phnum; ++n)
            if (program->dlpi_phdr[n].p_type == PT_TLS && program->dlpi_tls_data != nullptr) {
              auto& all = *static_cast<ThreadLocals*>(self);
              all.begin_ = static_cast<unsigned char*>(program->dlpi_tls_data);
              all.size_ = program->dlpi_phdr[n].p_memsz;
            }
          return 1;  // the executable comes first
        },
        this);
    kept_.assign(begin_, begin_ + size_);
  }
  ThreadLocals(const ThreadLocals&) = delete;
  ThreadLocals& operator=(const ThreadLocals&) = delete;
  /// Restores the variables that are not shared memory.
  ~ThreadLocals() { std::copy(kept_.begin(), kept_.end(), begin_); }

  void poison() { std::fill_n(begin_, size_, static_cast<unsigned char>(0xFF)); }

 private:
  unsigned char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::vector<unsigned char> kept_;
};

/// Where a stack resumes. Contexts (ucontext) start a stack; jumps, which need no system call, switch between stacks.
struct Place {
  std::jmp_buf jump;
};
void change(Place& from, Place& to) {
  if (_setjmp(from.jump) == 0) std::longjmp(to.jump, 1);
}

/// A stack that runs one thread of a block at a time.
struct Fiber {
  static constexpr std::size_t bytes = std::size_t{256} << 10, guard = 4096;

  /// `run` is called when a thread first switches to this stack.
  explicit Fiber(void (*run)()) : run_(run) {
    void* const stack = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, guard, PROT_NONE) != 0) fail("no memory for the stack of a thread");
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = bytes;
    begun = this;
    makecontext(&context, begin, 0);
    swapcontext(&maker, &context);
  }

  Place place{};

 private:
  static void begin() {
    Fiber* const self = begun;
    if (_setjmp(self->place.jump) == 0) setcontext(&maker);
    self->run_();
  }

  void (*run_)();
  static inline Fiber* begun = nullptr;
  static inline ucontext_t maker{};
};

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

struct Thread {
  uint3 index;
  bool ended = false;
  Fiber* fiber = nullptr;
  std::deque<std::vector<Copy>> groups;  ///< pending asynchronous copies; the last group is still open
  std::vector<Copy> stores;              ///< pending bulk copies from shared memory
};

/// Pending bulk copies to shared memory, tracked by one barrier.
struct Loads {
  std::size_t expected = 0;  ///< bytes
  std::vector<Copy> copies;
};

/// Threads of a warp that wait for the other threads of a mask.
struct Meet {
  unsigned mask;
  Meeting meetings[2]{};  ///< the pending meeting and the previous one
  int next = 0;
  std::vector<int> waiting{};  ///< threads
};

/// The running block.
class Block {
 public:
  Block(dim3 shape, const std::function<void()>& body) : body_(body), threads_(shape.x * shape.y * shape.z) {
    for (unsigned n = 0; n < threads_.size(); ++n)
      threads_[n].index = {n % shape.x, n / shape.x % shape.y, n / shape.x / shape.y};
    meets_.resize((threads_.size() + 31) / 32);
  }

  void run() {
    for (Thread& thread : threads_) {
      thread.ended = false;
      thread.groups.clear();
    }
    loads.clear();
    running_ = threads_.size();
    ready_.resize(threads_.size());
    std::iota(ready_.begin(), ready_.end(), 0);
    go_on(scheduler_);
    if (running_ == 0 && std::ranges::any_of(loads, [](const auto& one) { return !one.second.copies.empty(); }))
      fail("a block ends before bulk copies to its shared memory have arrived");
    if (running_ > 0)
      fail(std::to_string(running_) + " of " + std::to_string(threads_.size()) + " threads of block (" +
           std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) +
           ") wait for threads that never come: " + std::to_string(at_barrier_.size()) + " at __syncthreads()");
  }

  void barrier() {
    at_barrier_.push_back(current_);
    leave_barrier();
    go_on(thread().fiber->place);
  }

  const Meeting& meet(unsigned mask, const void* value, std::size_t bytes) {
    Meet& here = meet_of(mask);
    const int next = here.next;
    Meeting& meeting = here.meetings[next];
    if ((mask >> lane() & 1) == 0) fail("a lane calls a function of its warp with a mask that lacks this lane");
    meeting.lanes |= 1u << lane();
    std::memcpy(meeting.values[lane()], value, bytes);
    here.waiting.push_back(current_);
    leave_meeting(here, current_ / 32);
    go_on(thread().fiber->place);
    // Other threads may have added meetings with other masks, which invalidates the reference `here`.
    return meet_of(mask).meetings[next];
  }

  [[nodiscard]] int lane() const { return current_ % 32; }
  Thread& thread() { return threads_[static_cast<std::size_t>(current_)]; }

  std::map<const void*, Loads> loads;  ///< by barrier

 private:
  /// Switches from a waiting thread, or from the scheduler, to a ready thread; to the scheduler if none is ready.
  void go_on(Place& from) {
    const int self = current_;
    if (ready_.empty()) return change(from, scheduler_);
    current_ = take_one(ready_);
    threadIdx = thread().index;
    if (thread().fiber == nullptr) {
      if (idle_.empty()) idle_.push_back(new Fiber(run_threads));  // kept for later blocks
      thread().fiber = take_one(idle_);
    }
    if (current_ != self || &from == &scheduler_) change(from, thread().fiber->place);
  }

  /// Main function of a stack: runs its thread, then threads that do not have a stack yet.
  static void run_threads() {
    for (;;) {
      block->body_();
      Fiber* const fiber = block->end();
      block->go_on(fiber->place);
    }
  }

  /// Ends the thread and returns its stack, which is now idle.
  Fiber* end() {
    thread().ended = true;
    if (!thread().stores.empty()) fail("a thread exits before its bulk copies have finished reading shared memory");
    --running_;
    leave_barrier();
    for (Meet& here : meets_[static_cast<std::size_t>(current_ / 32)])
      leave_meeting(here, current_ / 32);
    return idle_.emplace_back(std::exchange(thread().fiber, nullptr));
  }

  void leave_barrier() {
    if (at_barrier_.size() < running_) return;
    ready_.insert(ready_.end(), at_barrier_.begin(), at_barrier_.end());
    at_barrier_.clear();
  }

  Meet& meet_of(unsigned mask) {
    auto& all = meets_[static_cast<std::size_t>(current_ / 32)];
    for (Meet& one : all)
      if (one.mask == mask) return one;
    return all.emplace_back(Meet{mask});
  }

  void leave_meeting(Meet& here, int warp) {
    if (here.waiting.empty()) return;
    Meeting& meeting = here.meetings[here.next];
    for (int lane = 0; lane < 32; ++lane) {
      if ((meeting.lanes >> lane & 1) != 0) continue;
      const auto n = static_cast<std::size_t>(32 * warp + lane);
      // Lanes without a thread never arrive.
      if ((here.mask >> lane & 1) != 0 && (n >= threads_.size() || !threads_[n].ended)) return;
      std::memset(meeting.values[lane], 0xFF, sizeof meeting.values[lane]);
    }
    here.next = 1 - here.next;
    here.meetings[here.next].lanes = 0;
    ready_.insert(ready_.end(), here.waiting.begin(), here.waiting.end());
    here.waiting.clear();
  }

  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  std::size_t running_ = 0;  ///< threads that have not ended
  std::vector<int> ready_, at_barrier_;
  std::vector<std::vector<Meet>> meets_;  ///< [warp], one for each mask
  int current_ = 0;
  Place scheduler_{};

  static inline std::vector<Fiber*> idle_;

 public:
  static inline Block* block = nullptr;  ///< the running block
};

void make(const std::vector<Copy>& copies) {
  for (const Copy& copy : copies)
    std::memcpy(copy.to, copy.from, copy.bytes);
}

void check_bulk(const void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t unit = 16;
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes) % unit != 0 || bytes == 0)
    fail("a bulk copy of " + std::to_string(bytes) + " bytes is empty or not aligned to 16 bytes");
}

}  // namespace

void run_grid(dim3 blocks, dim3 shape, std::size_t shared, const std::function<void()>& thread) {
  ThreadLocals variables;
  gridDim = blocks;
  blockDim = shape;
  std::vector<unsigned> order(blocks.x * blocks.y * blocks.z);
  std::iota(order.begin(), order.end(), 0U);
  Block one(shape, thread);
  Block::block = &one;
  while (!order.empty()) {
    const unsigned n = take_one(order);
    blockIdx = {n % blocks.x, n / blocks.x % blocks.y, n / blocks.x / blocks.y};
    variables.poison();
    one.run();
    const auto* const dynamic = reinterpret_cast<const std::uint64_t*>(ladder::cuda::memory);
    if (std::any_of(dynamic + (shared + 7) / 8, dynamic + most_shared / 8, [](std::uint64_t bits) { return ~bits != 0; }))
      fail("a block writes beyond its " + std::to_string(shared) + " bytes of dynamic shared memory");
  }
  Block::block = nullptr;
}

void expect_loads(const void* barrier, std::size_t bytes) { Block::block->loads[barrier].expected += bytes; }
void load_later(const void* barrier, void* to, const void* from, std::size_t bytes) {
  check_bulk(to, from, bytes);
  Block::block->loads[barrier].copies.push_back({to, from, bytes});
}
void make_loads(const void* barrier) {
  Loads& loads = Block::block->loads[barrier];
  std::size_t bytes = 0;
  for (const Copy& copy : loads.copies)
    bytes += copy.bytes;
  if (bytes != loads.expected)
    fail("a barrier expects " + std::to_string(loads.expected) + " bytes of bulk copies but gets " + std::to_string(bytes));
  make(std::exchange(loads, {}).copies);
}
void store_later(void* to, const void* from, std::size_t bytes) {
  check_bulk(to, from, bytes);
  Block::block->thread().stores.push_back({to, from, bytes});
}
void make_stores() { make(std::exchange(Block::block->thread().stores, {})); }

const Meeting& meet(unsigned mask, const void* value, std::size_t bytes) { return Block::block->meet(mask, value, bytes); }
int lane() { return Block::block->lane(); }

}  // namespace fake_cuda

void __syncthreads() { fake_cuda::Block::block->barrier(); }

void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  for (const void* place : {static_cast<const void*>(to), from})
    if (reinterpret_cast<std::uintptr_t>(place) % bytes != 0)
      fake_cuda::fail("an asynchronous copy of " + std::to_string(bytes) + " bytes is not aligned");
  auto& groups = fake_cuda::Block::block->thread().groups;
  if (groups.empty()) groups.emplace_back();
  groups.back().push_back({to, from, bytes});
}
void __pipeline_commit() { fake_cuda::Block::block->thread().groups.emplace_back(); }
void __pipeline_wait_prior(std::size_t later) {
  auto& groups = fake_cuda::Block::block->thread().groups;
  while (groups.size() > later + 1) {
    fake_cuda::make(groups.front());
    groups.pop_front();
  }
}
