/// The project's kernel launches. They pass only a kernel's address, but the fake runtime needs the kernel's type to call it.
/// So the kernel is registered where the address is cast.
#pragma once
#pragma GCC system_header  // include_next is an extension

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "backends/cuda/device.hpp"

namespace fake_cuda {

/// Copies the arguments of a launch and returns a function that calls the kernel with them, for one thread.
using Bind = std::function<void()> (*)(const void* kernel, void** arguments);
void know(const void* kernel, Bind bind);

template <class... Parameters>
std::function<void()> bind(const void* kernel, void** arguments) {
  return [&]<std::size_t... n>(std::index_sequence<n...>) {
    auto call = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
    std::tuple<Parameters...> copies(*static_cast<Parameters*>(arguments[n])...);
    return [call, copies = std::move(copies)] { std::apply(call, copies); };
  }
  (std::index_sequence_for<Parameters...>{});
}

template <class, class... Parameters>
const void* address(void (*kernel)(Parameters...)) {
  const auto* const address = reinterpret_cast<const void*>(kernel);
  know(address, bind<std::remove_const_t<Parameters>...>);
  return address;
}

}  // namespace fake_cuda

#define reinterpret_cast ::fake_cuda::address
#include_next "backends/cuda/launch.hpp"
#undef reinterpret_cast
