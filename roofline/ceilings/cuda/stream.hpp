#pragma once

#include <algorithm>

#include "roofline/ceilings/cuda/arrays.hpp"
#include "roofline/ceilings/cuda/ways.hpp"

namespace ladder::ceilings {

/// STREAM's four kernels, with one or two source arrays and one result array.
template <class T>
class Stream final : public Ceiling {
 public:
  explicit Stream(const Request& request) : Stream(request, cuda::Device::select()) {}

  void sweep(std::int64_t times) override { sweep(way_, times); }
  void wait() override { device_.wait(); }
  std::string wrong() override { return first_difference(device_, c_, 0, size(), 0, expected()); }

 private:
  /// A kernel with blocks of `threads` threads. It is launched once per sweep or, if `blocks` is set, with that many blocks
  /// once for all sweeps. In the latter case each block repeats the same part of the arrays without waiting for the others.
  struct Way {
    std::size_t unroll, threads, blocks;
  };

  Stream(const Request& request, cuda::Device device)
      : Stream(request, std::move(device), vectors_per_array(request, device, request.kind.read + 1U)) {}

  Stream(const Request& request, cuda::Device&& device, std::size_t vectors)
      : Ceiling(static_cast<std::int64_t>(vectors * width<T>),
                static_cast<double>((request.kind.read + 1U) * vectors * vector_bytes)),
        kind_(request.kind),
        store_(request.store),
        device_(std::move(device)),
        vectors_(vectors),
        a_(device_, size()),
        b_(device_, kind_.read == 2 ? size() : 1),
        c_(device_, size()) {
    anywhere(device_)(fill_kernel<T>(), a_.data(), 0, a_.size());
    anywhere(device_)(fill_kernel<T>(), b_.data(), size(), b_.size());
    way_ = fastest(ways(), [this](const Way& way, std::int64_t times) {
      sweep(way, times);
      wait();
    });
  }

  [[nodiscard]] StreamKernel<T> kernel(const Way& way) const {
    return stream_kernel<T>(kind_, store_, static_cast<int>(way.unroll));
  }

  [[nodiscard]] std::vector<Way> ways() const {
    std::vector<Way> all;
    for (const std::size_t unroll : {1, 4})
      for (const std::size_t threads : {256, 1024}) {
        Way way{unroll, threads, 0};
        all.push_back(way);
        way.blocks = device_.multiprocessors() * cuda::resident_blocks(device_, kernel(way), {threads, 1});
        all.push_back(way);
      }
    return all;
  }

  void sweep(const Way& way, std::int64_t times) {
    const std::size_t tiles = (vectors_ + way.unroll * way.threads - 1) / (way.unroll * way.threads);
    const bool stays = way.blocks > 0;
    const cuda::Launch launch{device_, {stays ? std::min(tiles, way.blocks) : tiles, 1}, {way.threads, 1}};
    for (std::int64_t s = 0; s < times; s += stays ? times : 1)
      launch(kernel(way), a_.data(), b_.data(), c_.data(), vectors_, stays ? times : 1);
  }

  [[nodiscard]] std::size_t size() const { return vectors_ * width<T>; }

  [[nodiscard]] Expected expected() const {
    if (kind_.name == "scale") return {.u = 3};
    if (kind_.name == "add") return {.v = 1, .b = size()};
    if (kind_.name == "triad") return {.v = 3, .b = size()};
    return {};
  }

  Kind kind_;
  Store store_;
  cuda::Device device_;
  std::size_t vectors_;
  cuda::Buffer<T> a_, b_, c_;
  Way way_{};
};

}  // namespace ladder::ceilings
