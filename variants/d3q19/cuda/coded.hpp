#pragma once

#include <cstdint>
#include <vector>

#include "variants/d3q19/cuda/solver.hpp"
#include "variants/d3q19/neighbourhoods.hpp"

namespace d3q19 {

/// The cells as encoded by Neighbourhoods: a kernel reads a cell's code instead of its flags.
struct CodedCells {
  ReadOnly<std::uint8_t> codes;  ///< indexed like Step::flags; Neighbourhoods::solid beyond the end of a row
  ReadOnly<uint2> table;         ///< [code]

  static __device__ bool is_fluid(unsigned code) { return code != Neighbourhoods::solid; }
  static __device__ bool is_near(unsigned code) { return code >= Neighbourhoods::first; }

  template <class real>
  [[nodiscard]] __device__ unsigned of(const Step<real>&, unsigned cell) const {
    return codes[cell];
  }

  /// The neighbours of the near cell (x, y, z) with this code.
  template <class real>
  [[nodiscard]] __device__ Neighbours around(const Step<real>& step, unsigned code, int x, int y, int z) const {
    if (code == Neighbourhoods::other) return {step, x, y, z};
    const uint2 kinds = table[code];
    Neighbours neighbours;
    neighbours.kinds[0] = kinds.x;
    neighbours.kinds[1] = kinds.y;
    return neighbours;
  }

  /// Like for_each_returned() for that cell.
  template <class real, class Write>
  __device__ __forceinline__ void for_each_returned(const Step<real>& step, unsigned code,
                                                    const lattice::Compute<real> (&site)[19], int x, int y, int z,
                                                    Write write) const {
    d3q19::for_each_returned(around(step, code, x, y, z), site, step.speed, write);
  }
};

/// Base of the CUDA rungs that read codes: an ObstacleSolver with the codes of its case.
template <class real>
class CodedSolver : public ObstacleSolver<real> {
 public:
  [[nodiscard]] CodedCells cells() const { return {codes_.data(), table_.data()}; }

 protected:
  CodedSolver(const Case& c, Shape block, const lattice::Strides& strides)
      : CodedSolver(c, block, strides, Neighbourhoods(c)) {}

 private:
  CodedSolver(const Case& c, Shape block, const lattice::Strides& strides, const Neighbourhoods& all)
      : ObstacleSolver<real>(c, block, strides),
        codes_(padded_rows<std::uint8_t>(this->device_, all.codes, c.nx, strides.y, Neighbourhoods::solid)),
        table_(this->device_, all.table.size()) {
    std::vector<uint2> table;
    for (const auto& [x, y] : all.table)
      table.push_back({x, y});
    table_.write(table);
  }

  Buffer<std::uint8_t> codes_;
  Buffer<uint2> table_;
};

}  // namespace d3q19
