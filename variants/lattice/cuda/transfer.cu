#include <algorithm>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "backends/cuda/page_locked.hpp"
#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/lattice/cuda/transfer.hpp"
#include "variants/lattice/storage.hpp"

namespace lattice::cuda {
namespace {

using ladder::cuda::Buffer;
using ladder::cuda::Device;
using ladder::cuda::Launch;
using ladder::cuda::PageLocked;

constexpr unsigned threads = 256;

/// Maximum number of elements copied between host and device at a time.
constexpr std::int64_t at_a_time = std::int64_t{8} << 20;

/// Cells [first, first + count) of a box.
struct Cells {
  std::int64_t origin_x, origin_y, origin_z, nx, ny;
  std::int64_t first, count;

  /// Returns the index of population i of the k-th of these cells.
  __device__ std::int64_t place(const Places& places, int i, std::int64_t k) const {
    const std::int64_t n = first + k;
    return places(i, origin_x + n % nx, origin_y + n / nx % ny, origin_z + n / nx / ny);
  }
  /// Returns whether the k-th of these cells has a state.
  __device__ bool has_state(const Places& places, std::int64_t k) const {
    const std::int64_t n = first + k;
    return places.has_state(origin_x + n % nx, origin_y + n / nx % ny, origin_z + n / nx / ny);
  }
};

/// copy[i * count + k] = population i of the k-th cell: one thread per cell.
template <class real>
__global__ void gather(const real* f, Places places, Cells cells, real* copy) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= cells.count) return;
  const bool has_state = cells.has_state(places, k);
  for (int i = 0; i < places.q; ++i)
    copy[i * cells.count + k] = has_state ? f[cells.place(places, i, k)] : real{};
}

/// The inverse of gather(). Writes the cells `repeats` times, each time `period` cells further on.
template <class real>
__global__ void scatter(real* f, Places places, Cells cells, std::int64_t period, std::int64_t repeats, const real* copy) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= cells.count * repeats) return;
  const std::int64_t from = thread % cells.count, to = from + thread / cells.count * period;
  if (!cells.has_state(places, to)) return;
  for (int i = 0; i < places.q; ++i)
    f[cells.place(places, i, to)] = copy[i * cells.count + from];
}

/// A sum and its rounding error (Neumaier 1974).
struct Compensated {
  double value = 0, lost = 0;

  __device__ void add(double x) {
    const double total = value + x;
    lost += fabs(value) >= fabs(x) ? (value - total) + x : (x - total) + value;
    value = total;
  }
};

/// sums[block] = the sum of all populations of the cells assigned to the block's threads.
template <class real>
__global__ void add_up(const real* f, Places places, double* sums) {
  __shared__ Compensated parts[threads];
  const Extents n = places.extents;
  Compensated own;
  for (std::int64_t cell = std::int64_t{blockIdx.x} * threads + threadIdx.x; cell < n.cells();
       cell += std::int64_t{gridDim.x} * threads)
    for (int i = 0; i < places.q && places.has_state(cell % n.x, cell / n.x % n.y, cell / n.x / n.y); ++i)
      own.add(places.population(i, f[places(i, cell % n.x, cell / n.x % n.y, cell / n.x / n.y)]));
  parts[threadIdx.x] = own;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      own.add(parts[threadIdx.x + half].value);
      own.lost += parts[threadIdx.x + half].lost;
      parts[threadIdx.x] = own;
    }
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = own.value + own.lost;
}

Launch over(const Device& device, std::int64_t cells) {
  return {device, {static_cast<std::size_t>((cells + threads - 1) / threads), 1}, {threads, 1}};
}

/// Staging memory between host and device, kept across transfers.
template <class real>
PageLocked<real>& staging() {
  static PageLocked<real> memory(at_a_time);
  return memory;
}

/// Calls work(cells, copy) for consecutive parts of a box that fit in the staging memory; `copy` is on the device.
template <class real, class Work>
void in_chunks(const Device& device, const ladder::Box& box, int q, Work work) {
  const std::int64_t most = std::min(box.cells(), std::max<std::int64_t>(1, at_a_time / q));
  Buffer<real> copy(device, static_cast<std::size_t>(most * q));
  const auto [x, y, z] = box.origin;
  for (std::int64_t first = 0; first < box.cells(); first += most)
    work(Cells{x, y, z, box.extent[0], box.extent[1], first, std::min(most, box.cells() - first)}, copy);
}

/// Calls visit(i, index in the state, index in the copy) for population i of each of the cells, in parallel on the CPU.
template <class Visit>
void for_each_number(const ladder::Populations& state, const Cells& cells, Visit visit) {
  ladder::in_parts(state.q * cells.count, ladder::worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end;) {
      const std::int64_t i = n / cells.count, shift = i * (state.cells() - cells.count) + cells.first;
      for (const std::int64_t next = std::min(end, (i + 1) * cells.count); n < next; ++n)
        visit(i, static_cast<std::size_t>(n + shift), static_cast<std::size_t>(n));
    }
  });
}

}  // namespace

template <class real>
void store(const Device& device, const real* f, const Places& places, ladder::Populations& out) {
  in_chunks<real>(device, out.box, places.q, [&](const Cells& cells, Buffer<real>& copy) {
    over(device, cells.count)(gather<real>, f, places, cells, copy.data());
    real* const numbers = staging<real>().data();
    copy.read(numbers, static_cast<std::size_t>(places.q * cells.count));
    for_each_number(out, cells, [&](std::int64_t i, std::size_t to, std::size_t from) {
      out.f[to] = places.population(static_cast<int>(i), numbers[from]);
    });
  });
}

template <class real>
void load(const Device& device, real* f, const Places& places, const ladder::Populations& in, std::int64_t repeats) {
  in_chunks<real>(device, in.box, places.q, [&](Cells cells, Buffer<real>& copy) {
    if (repeats > 1) cells.ny = places.extents.y;  // the box may be a single row
    real* const numbers = staging<real>().data();
    for_each_number(in, cells, [&](std::int64_t i, std::size_t from, std::size_t to) {
      numbers[to] = places.template stored<real>(static_cast<int>(i), in.f[from]);
    });
    LADDER_CUDA(cudaMemcpyAsync(copy.data(), numbers, static_cast<std::size_t>(places.q * cells.count) * sizeof(real),
                                cudaMemcpyHostToDevice, device.stream()));
    over(device, cells.count * repeats)(scatter<real>, f, places, cells, in.box.cells(), repeats, copy.data());
    device.wait();
  });
}

template <class real>
double sum(const Device& device, const real* f, const Places& places) {
  const std::int64_t most = std::int64_t{16} * device.multiprocessors();
  const auto blocks = static_cast<std::size_t>(std::min(most, (places.extents.cells() + threads - 1) / threads));
  Buffer<double> sums(device, blocks);
  Launch{device, {blocks, 1}, {threads, 1}}(add_up<real>, f, places, sums.data());
  std::vector<double> parts(blocks);
  sums.read(parts.data(), blocks);
  return ladder::total(parts);
}

template void store(const Device&, const float*, const Places&, ladder::Populations&);
template void store(const Device&, const double*, const Places&, ladder::Populations&);
template void store(const Device&, const ladder::Half*, const Places&, ladder::Populations&);
template void load(const Device&, float*, const Places&, const ladder::Populations&, std::int64_t);
template void load(const Device&, double*, const Places&, const ladder::Populations&, std::int64_t);
template void load(const Device&, ladder::Half*, const Places&, const ladder::Populations&, std::int64_t);
template double sum(const Device&, const float*, const Places&);
template double sum(const Device&, const double*, const Places&);
template double sum(const Device&, const ladder::Half*, const Places&);

}  // namespace lattice::cuda
