#include "variants/lattice/opencl/transfer.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/lattice/opencl/storage.hpp"

namespace lattice::opencl {

extern const std::string_view transfer_text;  ///< in transfer.cl

namespace {

using ladder::opencl::Buffer;
using ladder::opencl::Definitions;
using ladder::opencl::Device;
using ladder::opencl::Kernel;
using ladder::opencl::Shape;

constexpr Shape group{64, 1};  // work-items per work-group

/// Maximum number of elements copied between host and device at a time.
constexpr std::int64_t at_a_time = std::int64_t{8} << 20;

/// The type of sums on a device.
std::string wide(const Device& device) { return device.has_double() ? "double" : "float"; }

template <class real>
cl::Program build(const Device& device, bool all_have_state) {
  Definitions macros = storage_definitions<real>();
  for (const auto& macro : ladder::opencl::group_definitions<Compute<real>>(group))
    macros.push_back(macro);
  macros.emplace_back("wide", wide(device));
  macros.emplace_back("all_have_state", all_have_state ? "1" : "0");
  return ladder::opencl::build(device, {ladder::opencl::common_text, places_text, storage_text, transfer_text}, macros);
}

/// Calls work(first, count) for consecutive parts [first, first + count) of the box's cells, with `kernel` bound to them.
/// Returns when all enqueued commands are done.
template <class real, class Work>
void in_parts(const Device& device, Kernel& kernel, const Buffer<real>& f, const Places& places, const ladder::Box& box,
              std::int64_t most, Work work) {
  const Buffer<cl_long> places_there = on_device(device, places);
  const auto [x, y, z] = box.origin;
  kernel.bind({{"f", f}, {"places", places_there}, {"corner_x", x}, {"corner_y", y}, {"corner_z", z}});
  kernel.bind({{"side_x", box.extent[0]}, {"side_y", box.extent[1]}});
  for (std::int64_t first = 0; first < box.cells(); first += most) {
    const std::int64_t count = std::min(most, box.cells() - first);
    kernel.bind({{"first", first}, {"count", count}});
    work(first, count);
  }
  LADDER_CL(device.queue.finish());
}

/// Calls visit(i, index in the state, index in the copy) for population i of cells [first, first + count), in parallel on the
/// CPU.
template <class Visit>
void for_each_number(const ladder::Populations& state, std::int64_t first, std::int64_t count, Visit visit) {
  ladder::in_parts(state.q * count, ladder::worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end;) {
      const std::int64_t i = n / count, shift = i * (state.cells() - count) + first;
      for (const std::int64_t next = std::min(end, (i + 1) * count); n < next; ++n)
        visit(i, static_cast<std::size_t>(n + shift), static_cast<std::size_t>(n));
    }
  });
}

Shape items(std::int64_t cells) { return {static_cast<std::size_t>(cells), 1}; }

/// The sum of all distances from rest: one sum per work-group; the host adds them up.
template <class Wide>
double total(const Device& device, Kernel& add_up, const Places& places) {
  const std::int64_t cells = places.extents.cells();
  const auto groups = std::min((static_cast<std::size_t>(cells) + group.x - 1) / group.x, 16 * device.compute_units());
  const Buffer<Wide> sums(device, groups);
  add_up({groups * group.x, 1}, {{"sums", sums}});
  const auto parts = sums.read();
  return ladder::total(std::vector<double>(parts.begin(), parts.end()));
}

}  // namespace

Buffer<cl_long> on_device(const Device& device, const Places& places) {
  const auto& [origin, x, y, z, q] = places.strides;
  std::vector<cl_long> numbers = {places.extents.x, places.extents.y, places.extents.z, origin, x, y, z, q};
  for (int i = 0; i < places.q; ++i) {
    const auto& [slot, offset] = places.access[i];
    numbers.insert(numbers.end(), {slot, offset.x, offset.y, offset.z});
  }
  Buffer<cl_long> buffer(device, numbers.size());
  buffer.write(numbers);
  return buffer;
}

template <class real>
Transfer<real>::Transfer(const Device& device, const Places& places, std::span<const std::uint8_t> solid)
    : device_(device),
      most_(std::clamp<std::int64_t>(at_a_time / places.q, 1, places.extents.cells())),
      cells_(solid.empty() ? places.extents.cells() : std::count(solid.begin(), solid.end(), std::uint8_t{0})),
      program_(build<real>(device, solid.empty())),
      gather_(device, program_, "gather", group),
      scatter_(device, program_, "scatter", group),
      add_up_(device, program_, "add_up", group),
      solid_(device, std::max<std::size_t>(1, solid.size())),
      copy_(device, static_cast<std::size_t>(places.q * most_)),
      staging_(device, copy_.size()) {
  if (!solid.empty()) solid_.write(solid);
  gather_.bind({{"q", places.q}, {"solid", solid_}, {"copy", copy_}});
  scatter_.bind({{"q", places.q}, {"solid", solid_}, {"copy", copy_}});
  add_up_.bind({{"q", places.q}, {"solid", solid_}});
}

template <class real>
void Transfer<real>::store(const Buffer<real>& f, const Places& places, ladder::Populations& out) {
  in_parts(device_, gather_, f, places, out.box, most_, [&](std::int64_t first, std::int64_t count) {
    gather_(items(count));
    copy_.read(staging_.data(), static_cast<std::size_t>(out.q * count));
    for_each_number(out, first, count, [&](std::int64_t i, std::size_t to, std::size_t from) {
      out.f[to] = places.population(static_cast<int>(i), staging_.data()[from]);
    });
  });
}

template <class real>
void Transfer<real>::load(const Buffer<real>& f, const Places& places, const ladder::Populations& in) {
  in_parts(device_, scatter_, f, places, in.box, most_, [&](std::int64_t first, std::int64_t count) {
    for_each_number(in, first, count, [&](std::int64_t i, std::size_t from, std::size_t to) {
      staging_.data()[to] = places.template stored<real>(static_cast<int>(i), in.f[from]);
    });
    copy_.write(staging_.data(), static_cast<std::size_t>(in.q * count));
    scatter_(items(count));
  });
}

template <class real>
double Transfer<real>::sum(const Buffer<real>& f, const Places& places) {
  const Buffer<cl_long> places_there = on_device(device_, places);
  add_up_.bind({{"f", f}, {"places", places_there}});
  const double distances =
      device_.has_double() ? total<double>(device_, add_up_, places) : total<float>(device_, add_up_, places);
  const double rest = std::accumulate(places.rest, places.rest + places.q, 0.0);
  return places.density * (rest * static_cast<double>(cells_) + distances);
}

template class Transfer<float>;
template class Transfer<double>;
template class Transfer<ladder::Half>;

}  // namespace lattice::opencl
