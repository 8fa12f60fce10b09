#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <utility>

namespace ladder {

/// An array aligned to a huge page, on pages that hold nothing else, with huge pages requested. No page is touched until
/// poison(), so each page goes to the NUMA node of the thread that first calls poison() on it.
template <class T>
class Array {
 public:
  Array() = default;

  /// @throws std::bad_alloc
  explicit Array(std::size_t size) : size_(size), bytes_(size * sizeof(T) + huge_page) {
    base_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base_ == MAP_FAILED) throw std::bad_alloc();
    const auto address = (reinterpret_cast<std::uintptr_t>(base_) + huge_page - 1) / huge_page * huge_page;
    data_ = reinterpret_cast<T*>(address);
    madvise(data_, size * sizeof(T), MADV_HUGEPAGE);
  }

  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array(std::move(other)).swap(*this);
    return *this;
  }
  ~Array() {
    if (base_ != nullptr) munmap(base_, bytes_);
  }

  void swap(Array& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
  }

  /// Fills [first, last) with NaN, so that reading a value before it is computed fails every check.
  void poison(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      data_[i] = std::numeric_limits<T>::quiet_NaN();
  }
  void poison() { poison(0, size_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

  void* base_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace ladder
