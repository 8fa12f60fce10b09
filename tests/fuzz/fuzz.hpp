#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "reports/report.hpp"

/// What the targets share. A target accepts any bytes: it returns, or it is a finding.
namespace ladder::fuzz {

/// Calls `parse`, which may refuse the input with an InputError; whether it accepted it.
template <class Parse>
bool accepts(Parse parse) {
  try {
    parse();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// A property of the parser that must hold.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace ladder::fuzz

/// Defines the target: `input` is what the fuzzer made.
#define LADDER_FUZZ(input)                                                        \
  static void fuzz(std::string_view input);                                       \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n); \
  int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n) {           \
    fuzz({reinterpret_cast<const char*>(data), n});                               \
    return 0;                                                                     \
  }                                                                               \
  static void fuzz(std::string_view input)
