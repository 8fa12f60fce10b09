#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "variants/lattice/layout.hpp"
#include "variants/lattice/opencl/setup.hpp"
#include "variants/lattice/opencl/storage.hpp"
#include "variants/lattice/opencl/transfer.hpp"
#include "variants/lattice/state.hpp"

namespace lattice::opencl {

using ladder::opencl::Argument;
using ladder::opencl::Buffer;
using ladder::opencl::Kernel;

/// Base of OpenCL rungs: a device, the program built from the rung's kernel file and, on the device, a lattice with a layout
/// and a streaming pattern. It holds one copy if the pattern is in place, else one that a step reads and one that it writes. A
/// rung only adds the step.
template <class Model, class real, class Pattern = Pull>
class Solver : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;
  using L = typename Model::Lattice;

  void wait() override { LADDER_CL(device_.queue.finish()); }
  void store(ladder::Populations& out) override { transfer_.store(f_, places(), out); }
  void load(const ladder::Populations& in) override { transfer_.load(f_, places(), in); }
  double conserved() override { return transfer_.sum(f_, places()); }

 protected:
  /// Builds the rung's kernel file, preceded by `collision` and the model's other `texts`, and writes the initial state. Each
  /// kernel is bound to those of the `arguments` that it has parameters for. If the kernels use vectors, so does the collision.
  /// @throws ladder::Unavailable without a (double precision) device; ladder::InputError beyond the device's limits
  Solver(const Case& c, const Strides& strides, const Setup& setup, std::string_view collision,
         std::initializer_list<std::string_view> texts, std::vector<Argument> arguments)
      : case_(c),
        device_(setup.device),
        strides_(strides),
        group_(setup.group),
        arguments_(std::move(arguments)),
        source_(source(setup, collision, texts)),
        program_(ladder::opencl::build(device_, source_.texts, source_.macros, source_.language)),
        f_(array()),
        transfer_(device_, places(), solid()) {
    if (!Pattern::in_place) g_.emplace(array());
    load_initial<Model>(c, [&](const ladder::Populations& state) { load(state); });
  }

  /// Returns the rung's kernel `name` with its constant arguments bound: the model's, and this kernel's `own` ones.
  [[nodiscard]] Kernel kernel(const char* name, std::initializer_list<Argument> own = {}) const {
    Kernel kernel(device_, program_, name, group_, arguments_);
    kernel.bind(own);
    return kernel;
  }

  /// Returns the same kernel from a second program, built with different values for the macros in `changed`.
  [[nodiscard]] Kernel kernel_with(const Definitions& changed, const char* name,
                                   std::initializer_list<Argument> own = {}) const {
    Definitions macros = source_.macros;
    for (auto& [macro, value] : macros)
      for (const auto& [other, its_value] : changed)
        if (macro == other) value = its_value;
    Kernel kernel(device_, ladder::opencl::build(device_, source_.texts, macros, source_.language), name, group_, arguments_);
    kernel.bind(own);
    return kernel;
  }

  /// Ends a step: the next one reads the lattice that this one wrote.
  void swap_lattices() {
    if (!Pattern::in_place) std::swap(f_, *g_);
    phase_ = (phase_ + 1) % Pattern::phases;
  }

  /// Must be called after enqueuing step `step`. Waits occasionally, so that the queue does not grow without bound.
  void bound_queue(std::int64_t step) {
    constexpr std::int64_t most_steps = 1024;
    if (step % most_steps == most_steps - 1) wait();
  }

  /// [strides_(i, x, y, z)]: the lattice that the next step reads, and the one that it writes (none if the pattern is in
  /// place).
  [[nodiscard]] Buffer<real>& f() { return f_; }
  [[nodiscard]] Buffer<real>& g() { return *g_; }
  [[nodiscard]] Places places() const {
    return lattice::places<L, Pattern>(extents(case_), strides_, phase_, Model::density(case_));
  }

  const Case case_;
  const Device device_;
  const Strides strides_;
  const Shape group_;                ///< work-items per work-group
  std::vector<Argument> arguments_;  ///< for all kernels that have these parameters
  int phase_ = 0;                    ///< the pattern's next phase

 private:
  /// The parts that the rung's program is built from.
  struct Source {
    std::vector<std::string_view> texts;
    Definitions macros;
    std::string language;
  };

  [[nodiscard]] Source source(const Setup& setup, std::string_view collision,
                              std::initializer_list<std::string_view> texts) const {
    using Compute = lattice::Compute<real>;
    if (std::is_same_v<real, double>) device_.require_double();
    device_.require_group(group_);
    const double bytes = static_cast<double>(required_span_size(L::q, extents(case_), strides_)) * sizeof(real);
    device_.require_memory((Pattern::in_place ? 1 : 2) * bytes, bytes, case_.name);
    Definitions macros = setup.macros;
    for (const Definitions& more : {ladder::opencl::group_definitions<Compute>(group_),
                                    ladder::opencl::lanes_definitions<Compute>(setup.width), storage_definitions<real>()})
      macros.insert(macros.end(), more.begin(), more.end());
    macros.emplace_back("strip", std::to_string(setup.strip));
    const bool vectors = setup.width > 1;
    std::vector<std::string_view> all = {vectors ? "#define LBM_LANES\n#undef real\n#define real lanes\n" : "", collision,
                                         vectors ? "#undef real\n#define real number\n" : "", ladder::opencl::common_text,
                                         ladder::opencl::lanes_text};
    all.insert(all.end(), texts);
    all.insert(all.end(), setup.texts.begin(), setup.texts.end());
    all.push_back(ladder::this_rung.kernel);
    return {all, macros, setup.language};
  }

  /// Returns the obstacles if they have no state.
  [[nodiscard]] std::span<const std::uint8_t> solid() const {
    if (Model::solid_has_state) return {};
    return case_.solid;
  }

  /// Returns a lattice filled with NaN.
  [[nodiscard]] Buffer<real> array() const {
    return {device_, static_cast<std::size_t>(required_span_size(L::q, extents(case_), strides_))};
  }

  const Source source_;
  const cl::Program program_;
  Buffer<real> f_;
  std::optional<Buffer<real>> g_;
  Transfer<real> transfer_;
};

}  // namespace lattice::opencl
