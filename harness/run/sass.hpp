#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// The machine instructions (SASS) of a GPU kernel.
struct SassKernel {
  std::string name;                       ///< without parameters, e.g. `d3q19::update<float>`
  std::string architecture;               ///< e.g. `sm_90`
  std::vector<std::string> instructions;  ///< e.g. `@!P0 BRA 0x1690`; without the padding at the end
};

/// The kernels of an executable, for each architecture it was compiled for.
struct Sass {
  std::vector<SassKernel> kernels;
  std::string why_not;  ///< why there are none
};

/// Runs `cuobjdump -sass`. Looks for cuobjdump on PATH and in /usr/local/cuda/bin.
Sass sass_of(const std::filesystem::path& executable);

/// Parses the output of `cuobjdump -sass`.
std::vector<SassKernel> parse_sass(std::string_view text);

/// How often an opcode, e.g. `ISETP.NE.AND`, occurs in two kernels.
struct OpcodeCounts {
  std::string opcode;
  int rung = 0;
  int parent = 0;
};

/// A kernel of a rung next to its counterpart in the parent. One of the two is null if there is no counterpart.
struct SassPair {
  const SassKernel* rung = nullptr;
  const SassKernel* parent = nullptr;

  [[nodiscard]] const SassKernel& either() const { return rung != nullptr ? *rung : *parent; }
  /// The opcodes whose counts differ, in alphabetical order. Empty unless both kernels exist.
  [[nodiscard]] std::vector<OpcodeCounts> differences() const;
};

/// Pairs kernels of the same architecture and name or, failing that, the same name without namespaces. Template
/// arguments are part of the name. The pairs point into `rung` and `parent`; kernels only in the parent come last.
std::vector<SassPair> paired(const std::vector<SassKernel>& rung, const std::vector<SassKernel>& parent);

}  // namespace ladder
