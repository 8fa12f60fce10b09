#pragma once

// Every implementation supports OpenCL 1.2.
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS

#include <CL/opencl.hpp>
#include <source_location>
#include <stdexcept>
#include <string>

namespace ladder::opencl {

/// An OpenCL call that failed; what() names the file, line, expression and error.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, cl_int code_) : std::runtime_error(message), code(code_) {}

  const cl_int code;
};

/// `CL_INVALID_WORK_GROUP_SIZE` for -54; the number if the code is not known here.
std::string error_name(cl_int code);

/// Always throws. @throws Error
[[noreturn]] void fail(cl_int code, const char* expression, std::source_location where);

/// Runs `call` and turns an exception of the bindings into one with the location. @throws Error
template <class Call>
decltype(auto) checked(Call&& call, const char* expression, std::source_location where) {
  try {
    return call();
  } catch (const cl::Error& e) {
    fail(e.err(), expression, where);
  }
}

}  // namespace ladder::opencl

/// Evaluates an expression that uses OpenCL's C++ bindings; errors name the expression, file and line.
#define LADDER_CL(expression) \
  ::ladder::opencl::checked([&]() -> decltype(auto) { return expression; }, #expression, std::source_location::current())
