#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/lattice/opencl/setup.hpp"

namespace lattice::opencl {

using ladder::opencl::Argument;
using ladder::opencl::Buffer;
using ladder::opencl::Kernel;

/// Base class of a model's OpenCL rungs: the device, the program of the rung's kernel file, and a pair of lattices (one, if the
/// rung works in place) in the device's memory, f() with the populations and g() for the next step's.
template <class Model, class real, class Strides>
class Solver : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;

  std::span<const double> history() override { return {}; }

  void wait() override { LADDER_CL(device_.queue.finish()); }

  void store(ladder::Populations& out) override { copy_populations<real>(case_, f_.read(), strides_, out); }

 protected:
  /// `size` numbers in each lattice; `texts` come before the rung's kernel file, and `arguments` are those of all its kernels.
  /// @throws ladder::Unavailable without a (double precision) device; ladder::InputError beyond the device's limits
  Solver(const Case& c, const Strides& strides, std::size_t size, const Setup& setup, std::vector<std::string_view> texts,
         std::vector<Argument> arguments)
      : case_(c),
        strides_(strides),
        device_(setup.device),
        group_(setup.group),
        program_(build(setup, std::move(texts))),
        arguments_(std::move(arguments)),
        f_(device_, size),
        g_(device_, setup.lattices > 1 ? size : 1) {
    f_.write(initial_numbers<real>(c, strides, size));
  }

  /// The rung's kernel `name` with its arguments bound that do not change: the model's, and the `own` ones of this kernel.
  [[nodiscard]] Kernel kernel(const char* name, std::initializer_list<Argument> own = {}) const {
    Kernel kernel(device_, program_, name, group_, arguments_);
    kernel.bind(own);
    return kernel;
  }
  [[nodiscard]] const std::vector<Argument>& arguments() const { return arguments_; }
  /// Binds `argument` in all kernels to come that have such a parameter.
  void add(const Argument& argument) { arguments_.push_back(argument); }

  void swap() { std::swap(f_, g_); }

  /// Step number `step` was enqueued: waits now and then, so that the queue never grows without bound.
  void bound_queue(std::int64_t step) {
    constexpr std::int64_t most_steps = 1024;
    if (step % most_steps == most_steps - 1) wait();
  }

  [[nodiscard]] const Buffer<real>& f() const { return f_; }
  [[nodiscard]] const Buffer<real>& g() const { return g_; }
  [[nodiscard]] Buffer<real>& f() { return f_; }
  [[nodiscard]] Buffer<real>& g() { return g_; }
  [[nodiscard]] const Case& the_case() const { return case_; }
  [[nodiscard]] const Strides& strides() const { return strides_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] Shape group() const { return group_; }

 private:
  cl::Program build(const Setup& setup, std::vector<std::string_view> texts) const {
    constexpr bool is_double = sizeof(real) == sizeof(double);
    if (is_double) device_.require_double();
    device_.require_group(group_);
    const double bytes = Model::q * static_cast<double>(case_.cells()) * sizeof(real);
    device_.require_memory(setup.lattices * bytes, bytes, case_.name);
    Definitions macros = setup.macros;
    for (const Definitions& more :
         {ladder::opencl::group_definitions<real>(group_), ladder::opencl::lanes_definitions<real>(setup.width)})
      macros.insert(macros.end(), more.begin(), more.end());
    macros.emplace_back("strip", std::to_string(setup.strip));
    texts.push_back(ladder::this_rung.kernel);
    return ladder::opencl::build(device_, texts, macros);
  }

  const Case case_;
  const Strides strides_;
  const Device device_;
  const Shape group_;
  const cl::Program program_;
  std::vector<Argument> arguments_;
  Buffer<real> f_;
  Buffer<real> g_;
};

}  // namespace lattice::opencl
