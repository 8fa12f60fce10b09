#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/case.hpp"
#include "variants/lattice/lattice.hpp"
#include "variants/lattice/state.hpp"

namespace lattice {

/// As part(), for parts of a large case: does not copy all of its obstacles each time, and copies those of a part in parallel.
template <class Case>
class Parts {
 public:
  /// The case outlives this object.
  explicit Parts(const Case& c) : whole_(c), bare_(c) { bare_.solid = std::vector<std::uint8_t>(); }

  Case operator()(const ladder::Box& box) const {
    Case part = lattice::part(bare_, box);
    if (whole_.solid.empty()) return part;
    part.solid.resize(static_cast<std::size_t>(box.cells()));
    detail::for_each_cell(box, 1, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      const std::int64_t from = ladder::Box{{}, whole_.grid()}.number(
          ladder::wrapped(x, whole_.nx), ladder::wrapped(y, whole_.ny), ladder::wrapped(z, whole_.nz));
      part.solid[static_cast<std::size_t>(n)] = whole_.solid[static_cast<std::size_t>(from)];
    });
    return part;
  }

 private:
  const Case& whole_;
  Case bare_;
};

/// Base of every model's reference: the state of a periodic box in double precision, f[cell * q + i] with cell = x + nx (y + ny
/// z), post-collision, and its streaming. It is scalar and simple. A model derives its reference from it and adds the physics.
template <class Case>
class Reference {
  using L = typename Case::Lattice;

 public:
  explicit Reference(const Case& c) : case_(c) { start(c); }
  virtual ~Reference() = default;

  /// Starts from the initial state of `c`; reuses the existing memory if it is large enough.
  void start(const Case& c) {
    case_ = c;
    box_ = {{}, c.grid()};
    history_.clear();
    for (auto* numbers : {&f_, &propagated_}) {
      numbers->clear();
      numbers->resize(static_cast<std::size_t>(L::q * c.cells()));
    }
    for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t) {
      const auto initial = c.initial(x, y, z);
      std::copy(initial.begin(), initial.end(), cell(x, y, z).begin());
    });
  }

  /// Advances the state by `steps` steps.
  void advance(std::int64_t steps) {
    for (std::int64_t n = 0; n < steps; ++n)
      step();
  }
  /// Returns the model's observable after each step, if the model records it.
  [[nodiscard]] std::span<const double> history() const { return history_; }

  /// Returns the populations of a cell, to set up and inspect flows.
  std::span<double, L::q> cell(std::int64_t x, std::int64_t y, std::int64_t z = 0) { return at(box_.number(x, y, z)); }

  /// Moves each population by its velocity; the box is periodic.
  void propagate() {
    const auto [nx, ny, nz] = box_.extent;
    // Each value has a distinct destination, so rows can be moved concurrently.
    for_each_cell([&, nx = nx, ny = ny, nz = nz](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      for (int i = 0; i < L::q; ++i) {
        const Velocity c = L::c(i);
        const std::int64_t to =
            box_.number(ladder::wrapped(x + c.x, nx), ladder::wrapped(y + c.y, ny), ladder::wrapped(z + c.z, nz));
        propagated_[static_cast<std::size_t>(L::q * to + i)] = at(n)[static_cast<std::size_t>(i)];
      }
    });
    f_.swap(propagated_);
  }

  /// Copies the populations of the cells in `out.box`.
  void store(ladder::Populations& out) const {
    detail::for_each_cell(out.box, L::q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      for (int i = 0; i < L::q; ++i)
        out.at(i, n) = f_[static_cast<std::size_t>(L::q * box_.number(x, y, z) + i)];
    });
  }

 protected:
  /// Advances the state by one step, and records the observable if the model does.
  virtual void step() = 0;

  /// Returns the populations of cell n.
  std::span<double, L::q> at(std::int64_t n) {
    return std::span<double, L::q>(&f_[static_cast<std::size_t>(L::q * n)], static_cast<std::size_t>(L::q));
  }
  std::span<const double, L::q> at(std::int64_t n) const {
    return std::span<const double, L::q>(&f_[static_cast<std::size_t>(L::q * n)], static_cast<std::size_t>(L::q));
  }

  /// Calls visit(x, y, z, n) for each cell and its index n, in parallel on the CPU.
  template <class Visit>
  void for_each_cell(Visit visit) const {
    detail::for_each_cell(box_, L::q, visit);
  }

  Case case_;
  std::vector<double> history_;

 private:
  ladder::Box box_;
  ladder::Numbers<double> f_;
  ladder::Numbers<double> propagated_;
};

}  // namespace lattice
