#pragma once

#include <algorithm>

#include "roofline/ceilings/cuda/arrays.hpp"
#include "roofline/ceilings/cuda/ways.hpp"

namespace ladder::ceilings {

/// Two lattices of Q arrays, [array][site]. Each sweep copies one lattice to the other, alternating the direction. Array q goes
/// to array q + 1 (mod Q), so that the contents show the number of sweeps.
template <class T>
class CopyQ final : public Ceiling {
 public:
  explicit CopyQ(const Request& request) : CopyQ(request, cuda::Device::select()) {}

  void sweep(std::int64_t times) override { sweep(way_, times); }
  void wait() override { device_.wait(); }

  std::string wrong() override {
    for (const std::size_t sweeps : {sweeps_, sweeps_ - 1})
      for (std::size_t q = 0; q < q_; ++q) {
        const std::size_t from = (q + q_ - sweeps % q_) % q_;
        const std::string difference =
            first_difference(device_, lattices_[sweeps % 2], q * stride_, sites_, q, {.a = from * sites_});
        if (!difference.empty()) return fmt::format("after {} sweeps {}", sweeps, difference);
      }
    return "";
  }

 private:
  /// How to launch blocks of `threads` threads: once per sweep or, if `blocks` is set, that many blocks once for all sweeps.
  /// Each site is copied by the same thread every time, and no block waits for others.
  struct Way {
    Pattern pattern;
    std::size_t threads, blocks;
  };

  CopyQ(const Request& request, cuda::Device device)
      : CopyQ(request, std::move(device), vectors_per_array(request, device, 2U * request.kind.read)) {}

  CopyQ(const Request& request, cuda::Device&& device, std::size_t vectors)
      : Ceiling(static_cast<std::int64_t>(vectors * width<T>),
                static_cast<double>(2U * request.kind.read * vectors * vector_bytes)),
        device_(std::move(device)),
        store_(request.store),
        q_(static_cast<std::size_t>(request.kind.read)),
        sites_(vectors * width<T>),
        stride_((sites_ + aligned - 1) / aligned * aligned),
        lattices_{{device_, q_ * stride_}, {device_, q_ * stride_}} {
    for (std::size_t q = 0; q < q_; ++q)
      anywhere(device_)(fill_kernel<T>(), lattices_[0].data() + q * stride_, q * sites_, sites_);
    way_ = fastest(ways(), [this](const Way& way, std::int64_t times) {
      sweep(way, times);
      wait();
    });
  }

  [[nodiscard]] CopyQKernel kernel(const Way& way) const { return copy_q_kernel(static_cast<int>(q_), store_, way.pattern); }

  [[nodiscard]] std::vector<Way> ways() const {
    std::vector<Way> all;
    for (const Pattern pattern : {Pattern::numbers, Pattern::vectors, Pattern::batches, Pattern::rows})
      for (const std::size_t threads : {128, 256}) {
        Way way{pattern, threads, 0};
        all.push_back(way);
        if (pattern == Pattern::rows) continue;
        way.blocks = device_.multiprocessors() * cuda::resident_blocks(device_, kernel(way), {threads, 1});
        all.push_back(way);
      }
    return all;
  }

  /// Number of blocks that cover the lattice once.
  [[nodiscard]] std::size_t covering(const Way& way) const {
    const std::size_t bytes = sites_ * sizeof(T);
    const auto blocks = [&](std::size_t bytes_a_thread) {
      return (bytes + way.threads * bytes_a_thread - 1) / (way.threads * bytes_a_thread);
    };
    if (way.pattern == Pattern::rows) return q_ * blocks(4 * vector_bytes);
    return blocks(way.pattern == Pattern::numbers ? sizeof(float) : vector_bytes);
  }

  void sweep(const Way& way, std::int64_t times) {
    const bool stays = way.blocks > 0;
    const cuda::Launch launch{device_, {stays ? std::min(covering(way), way.blocks) : covering(way), 1}, {way.threads, 1}};
    const auto words = [](std::size_t numbers) { return numbers * sizeof(T) / sizeof(float); };
    const std::int64_t at_once = stays ? times : 1;
    for (std::int64_t s = 0; s < times; s += at_once) {
      launch(kernel(way), reinterpret_cast<const float*>(lattices_[sweeps_ % 2].data()),
             reinterpret_cast<float*>(lattices_[(sweeps_ + 1) % 2].data()), words(sites_), words(stride_), at_once);
      sweeps_ += static_cast<std::size_t>(at_once);
    }
  }

  static constexpr std::size_t aligned = 256 / sizeof(T);  ///< elements per memory transaction, to which arrays are aligned

  cuda::Device device_;
  Store store_;
  std::size_t q_;
  std::size_t sites_;
  std::size_t stride_;  ///< in elements, from one array to the next
  cuda::Buffer<T> lattices_[2];
  std::size_t sweeps_ = 0;
  Way way_{};
};

}  // namespace ladder::ceilings
