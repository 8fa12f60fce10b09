#include <algorithm>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {
namespace {

/// Whether a parameter of OpenCL C type `type` accepts the argument. A pointer to vectors accepts a buffer of their elements.
bool accepts(std::string_view type, const Argument& argument) {
  if (!argument.is_buffer) return type == argument.type;
  if (!type.starts_with(argument.type) || !type.ends_with('*')) return false;
  const std::string_view width = type.substr(argument.type.size(), type.size() - argument.type.size() - 1);
  return width.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Kernel::Kernel(const Device& device, const cl::Program& program, const char* name, Shape group,
               std::span<const Argument> arguments)
    : queue_(device.queue),
      kernel_(LADDER_CL(cl::Kernel(program, name))),
      name_(name),
      group_(group),
      parameters_(ask_parameters()) {
  for (const Argument& argument : arguments)
    if (Parameter* const parameter = find(argument.name)) set(*parameter, argument);
  require_limits(device);
}

void Kernel::bind(std::initializer_list<Argument> arguments) {
  for (const Argument& argument : arguments) {
    Parameter* const parameter = find(argument.name);
    if (parameter == nullptr) refuse_unknown(argument);
    set(*parameter, argument);
  }
}

void Kernel::operator()(Shape items, std::initializer_list<Argument> arguments) {
  bind(arguments);
  for (const Parameter& parameter : parameters_)
    if (!parameter.bound) refuse_unbound(parameter);
  const Shape count = items.in_groups(group_);
  LADDER_CL(queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(count.x * group_.x, count.y * group_.y),
                                        cl::NDRange(group_.x, group_.y)));
}

Kernel::Parameter* Kernel::find(std::string_view name) {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; });
  return found == parameters_.end() ? nullptr : &*found;
}

void Kernel::set(Parameter& parameter, const Argument& argument) {
  if (!accepts(parameter.type, argument)) refuse_type(parameter, argument);
  LADDER_CL(kernel_.setArg(static_cast<cl_uint>(&parameter - parameters_.data()), argument.size, argument.value()));
  parameter.bound = true;
}

}  // namespace ladder::opencl
