#include <fmt/format.h>

#include <limits>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/mpi/team.hpp"
#include "base/error.hpp"
#include "roofline/ceilings/ceiling.hpp"
#include "roofline/ceilings/mpi+cuda/ways.hpp"
#include "roofline/ceilings/verify.hpp"

/// Messages between the GPUs of several processes. All processes make the same calls.
namespace ladder::ceilings {
namespace {

/// Exchanges halos like a strip of rows: four arrays, two of which are sent.
template <class T, MakeWay make_way>
class DeviceHalo final : public Ceiling {
 public:
  explicit DeviceHalo(const Request& request)
      : Ceiling(2 * length(request), 4.0 * static_cast<double>(length(request) * sizeof(T))), n_(length(request)) {
    device_.require_memory(footprint(), request.kind.name);
    std::vector<T> numbers(n_);
    for (const std::size_t side : {south, north}) {
      for (std::size_t i = 0; i < n_; ++i)
        numbers[i] = number(mpi::rank(), side, i);
      sent_[side].write(numbers);
    }
    device_.wait();
    way_ = make_way(device_, {{bytes(sent_[south]), bytes(sent_[north])},
                              {bytes(received_[south]), bytes(received_[north])},
                              n_ * sizeof(T),
                              below(),
                              above()});
  }

  void sweep(std::int64_t times) override {
    for (; times > 0; --times)
      way_->exchange();
  }
  void wait() override { device_.wait(); }

  /// Data received on one side was sent to the opposite side.
  std::string wrong() override {
    const auto difference = [&](std::size_t side, int neighbour) {
      const auto all = received_[side].read();
      return first_difference(
          side, 0, n_, [&](std::size_t, std::size_t i) { return all[i]; },
          [&](std::size_t, std::size_t i) { return number(neighbour, 1 - side, i); });
    };
    return difference(south, below()) + difference(north, above());
  }

 private:
  enum Side : std::size_t { south, north };

  /// Elements per message: whole vectors. @throws InputError, or Unavailable if there is only one process
  static std::size_t length(const Request& request) {
    if (mpi::size() < 2)
      throw Unavailable(fmt::format("{} needs two processes (a placement such as processes=2;threads=1)", request.kind.name));
    const std::size_t vectors = request.bytes / (4 * Messages::vector);
    constexpr std::size_t most = std::numeric_limits<int>::max() / Messages::vector;
    if (vectors == 0 || vectors > most)
      throw InputError(fmt::format("--bytes {}: accepted by {} are {} to {}", request.bytes, request.kind.name,
                                   4 * Messages::vector, 4 * most * Messages::vector));
    return vectors * Messages::vector / sizeof(T);
  }
  static T number(int rank, std::size_t side, std::size_t i) {
    return static_cast<T>(pattern(i + 1000 * (2 * static_cast<std::uint64_t>(rank) + side)));
  }
  static std::byte* bytes(cuda::Buffer<T>& buffer) { return reinterpret_cast<std::byte*>(buffer.data()); }
  static int above() { return (mpi::rank() + 1) % mpi::size(); }
  static int below() { return (mpi::rank() + mpi::size() - 1) % mpi::size(); }

  std::size_t n_;
  const cuda::Device device_ = own_device();
  cuda::Buffer<T> sent_[2]{{device_, n_}, {device_, n_}}, received_[2]{{device_, n_}, {device_, n_}};  ///< [side]
  std::unique_ptr<Way> way_;
};

template <MakeWay way>
std::unique_ptr<Ceiling> make(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<DeviceHalo<float, way>>(request);
  return std::make_unique<DeviceHalo<double, way>>(request);
}

constexpr Maker all[] = {{"peer-copy", make<copy_to_peers>},
                         {"peer-store", make<store_to_peers>},
                         {"nccl", make<send_with_nccl>},
                         {"through-host", make<send_through_host>}};

}  // namespace

std::span<const Maker> makers() { return all; }

}  // namespace ladder::ceilings
