#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backends/team.hpp"
#include "harness/bench/distributed.hpp"
#include "harness/bench/rung.hpp"

namespace lattice {

/// The rows of a periodic lattice that a process, or a part of a process, owns: one strip each, in rank order. If there are
/// several, each has halo rows on either side of its own.
struct Strip {
  ladder::Box own;               ///< in the whole lattice
  ladder::Box with_halo;         ///< the same, including its halo
  int first = 0, last = 0;       ///< own rows, in the strip's numbering
  int north = 0, south = 0;      ///< ranks of the neighbours
  std::int64_t fluid_cells = 0;  ///< in the whole lattice

  /// Returns the strip of a process, with `depth` halo rows. @throws ladder::Refused if a strip has fewer rows than that
  template <class Case>
  static Strip of(const Case& c, int depth = 1, int rank = ladder::team().rank()) {
    return of_parts(c, depth, rank, ladder::team().size(), "processes");
  }

  /// Returns strip `rank` of `size`; `owners` says what the strips belong to. @throws the same as of()
  template <class Case>
  static Strip of_parts(const Case& c, int depth, int rank, int size, const std::string& owners) {
    if (size > 1 && (c.ny / size < depth || c.ny < (c.ny + size - 1) / size + 2 * depth))
      throw ladder::Refused(ladder::Reason::too_large,
                            std::to_string(size) + " " + owners + " with halos of " + std::to_string(depth) +
                                " rows are too many for " + std::to_string(c.ny) +
                                " rows; accepted: strips that are no thinner than a halo, and halos that do not meet");
    const ladder::Domain domain(c.grid(), {1, size, 1}, depth);
    const ladder::Domain::Part& part = domain.parts()[static_cast<std::size_t>(rank)];
    const auto first = static_cast<int>(part.box.origin[1] - part.with_halo.origin[1]);
    return {.own = part.box,
            .with_halo = part.with_halo,
            .first = first,
            .last = first + static_cast<int>(part.box.extent[1]) - 1,
            .north = (rank + 1) % size,
            .south = (rank + size - 1) % size,
            .fluid_cells = c.fluid_cells()};
  }

  [[nodiscard]] bool has_halo() const { return with_halo != own; }
  [[nodiscard]] int rows() const { return last - first + 1; }

  /// Rows `first` to `last`, in the strip's numbering; empty if `last` is less than `first`.
  struct Rows {
    int first = 0, last = -1;
  };
  /// Returns the own rows that a step updates without reading a halo, if populations move at most as far as the halo is deep.
  /// Without a halo, these are all rows.
  [[nodiscard]] Rows bulk() const { return {first + halo_rows(), last - halo_rows()}; }
  /// Returns the own rows at either border, excluding the bulk.
  [[nodiscard]] std::array<Rows, 2> borders() const {
    const Rows inner = bulk();
    return {Rows{first, std::min(inner.first - 1, last)}, Rows{std::max(inner.first, inner.last + 1), last}};
  }
  /// Returns the number of halo rows on either side.
  [[nodiscard]] int halo_rows() const { return first; }

  /// Converts a box of the whole lattice to the strip's coordinates.
  [[nodiscard]] ladder::Box in_strip(const ladder::Box& box) const {
    const ladder::Triple& corner = with_halo.origin;
    return box.moved({-corner[0], -corner[1], -corner[2]});
  }
};

/// A solver of one strip, whose state is this process's part of the whole lattice. `Base` is the solver of a case.
template <class Model, class Base>
class StripState : public Base, public ladder::Distributed {
 public:
  [[nodiscard]] std::vector<ladder::Box> owned() const override { return {strip_.own}; }

  void store(ladder::Populations& out) override {
    const ladder::Box box = out.box;
    out.box = strip_.in_strip(box);
    Base::store(out);
    out.box = box;
  }
  void load(const ladder::Populations& in) override {
    ladder::Populations moved = in;
    moved.box = strip_.in_strip(in.box);
    Base::load(moved);
  }

  double conserved() override {
    const auto& [nx, ny, nz] = strip_.own.extent;
    const std::int64_t rows = std::clamp<std::int64_t>((std::int64_t{8} << 20) / (Model::q * nx), 1, ny);
    double sum = 0;
    ladder::Populations state;
    for (std::int64_t y = 0; y < ny; y += rows) {
      state.reset(Model::q, {{strip_.own.origin[0], strip_.own.origin[1] + y, 0}, {nx, std::min(rows, ny - y), nz}});
      store(state);
      sum += state.total();
    }
    return ladder::team().sum(sum);
  }

 protected:
  /// Constructs the base from the strip's part of the case and the `arguments`.
  template <class... Arguments>
  StripState(const typename Model::Case& c, const Strip& strip, Arguments&&... arguments)
      : Base(Model::part(c, strip.with_halo), std::forward<Arguments>(arguments)...), strip_(strip) {}

  const Strip strip_;
};

}  // namespace lattice
