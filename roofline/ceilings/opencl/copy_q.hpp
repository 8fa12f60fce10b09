#pragma once

#include "roofline/ceilings/opencl/program.hpp"

namespace ladder::ceilings {

/// Two lattices of Q arrays, [array][site]. Each sweep copies one lattice to the other, alternating the direction. Array q goes
/// to array q + 1 (mod Q), so that the contents show the number of sweeps. On a CPU, the arrays are copied in rows of 16 KB,
/// one array after another; on a GPU, each work-item copies 16 bytes of every array.
template <class T>
class CopyQ final : public Ceiling {
 public:
  explicit CopyQ(const Request& request) : CopyQ(request, Program(request, request.kind.read)) {}

  void sweep(std::int64_t times) override {
    for (std::int64_t s = 0; s < times; ++s) {
      kernel_(program_.items(vectors_), {{"from", lattices_[sweeps_ % 2]}, {"to", lattices_[(sweeps_ + 1) % 2]}});
      ++sweeps_;
    }
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  std::string wrong() override {
    const std::size_t sites = vectors_ * program_.geometry.width;
    for (const std::size_t sweeps : {sweeps_, sweeps_ - 1})
      for (std::size_t q = 0; q < q_; ++q) {
        const std::size_t from = (q + q_ - sweeps % q_) % q_;
        const std::string difference = first_difference(program_, lattices_[sweeps % 2], q * stride_ * program_.geometry.width,
                                                        sites, q, {.first_u = from * sites});
        if (!difference.empty()) return fmt::format("after {} sweeps {}", sweeps, difference);
      }
    return "";
  }

 private:
  /// Arrays that all start at the same cache set would evict each other, so each starts 17 lines of 64 bytes after the previous
  /// one, modulo 64 sets.
  static constexpr std::size_t line = 64 / sizeof(T);

  CopyQ(const Request& request, const Program& program)
      : CopyQ(request, program, vectors_per_array(request, program, 2U * request.kind.read, 2)) {}

  CopyQ(const Request& request, const Program& program, std::size_t vectors)
      : Ceiling(static_cast<std::int64_t>(vectors * program.geometry.width),
                static_cast<double>(2U * request.kind.read * vectors * program.geometry.width * sizeof(T))),
        program_(program),
        q_(static_cast<std::size_t>(request.kind.read)),
        vectors_(vectors),
        stride_(padded(vectors * program.geometry.width) / program.geometry.width),
        kernel_(program.kernel("copy_q")),
        lattices_{{program.device, q_ * stride_ * program.geometry.width},
                  {program.device, q_ * stride_ * program.geometry.width}} {
    kernel_.bind({{"sites", vectors_}, {"stride", stride_}});
    const std::size_t sites = vectors * program.geometry.width;
    for (std::size_t q = 0; q < q_; ++q)
      fill(program, lattices_[0], q * stride_ * program.geometry.width, q * sites, sites);
    wait();
  }

  static std::size_t padded(std::size_t sites) {
    const std::size_t lines = (sites + line - 1) / line;
    return (lines + (64 + 17 - lines % 64) % 64) * line;
  }

  Program program_;
  std::size_t q_;
  std::size_t vectors_;  ///< vectors per array
  std::size_t stride_;   ///< vectors from one array to the next
  opencl::Kernel kernel_;
  opencl::Buffer<T> lattices_[2];
  std::size_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
