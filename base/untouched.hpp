#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace ladder {

/// An allocator that does not touch its memory. Vectors that use it do not initialize their elements, so pages are placed on
/// first write, which several threads can do in parallel. Large blocks request huge pages.
template <class T>
struct Untouched {
  using value_type = T;

  Untouched() = default;
  template <class U>
  Untouched(const Untouched<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t n) {
    const std::align_val_t alignment{n * sizeof(T) < huge_page ? alignof(std::max_align_t) : huge_page};
    void* memory = ::operator new(n * sizeof(T), alignment);
    if (n * sizeof(T) >= huge_page) madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    const std::align_val_t alignment{n * sizeof(T) < huge_page ? alignof(std::max_align_t) : huge_page};
    ::operator delete(memory, alignment);
  }
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
  bool operator==(const Untouched&) const { return true; }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
};

/// A vector with uninitialized elements.
template <class T>
using Numbers = std::vector<T, Untouched<T>>;

}  // namespace ladder
