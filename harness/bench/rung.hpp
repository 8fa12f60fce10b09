#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/untouched.hpp"
#include "harness/bench/domain.hpp"
#include "harness/bench/rung_info.hpp"
#include "harness/record/tuning.hpp"
#include "roofline/model/number.hpp"
#include "roofline/model/traffic.hpp"

/// The contract between a rung and the harness. A rung owns data movement only: layout, streaming, kernels, launch. It has
/// no clock, no printing, no loop over sizes and no argument parsing.
namespace ladder {

/// The populations of a box of cells in one canonical order: f[i * box.cells() + n] is population i of the box's n-th cell (x
/// fastest), post-collision, in double.
struct Populations {
  int q = 0;
  Box box;
  Numbers<double> f;

  Populations() = default;
  /// All populations start as NaN, so that a population that a rung does not store is detected.
  Populations(int q, const Box& box);

  [[nodiscard]] std::int64_t cells() const { return box.cells(); }
  /// Population i of the box's cell number `cell`.
  double& at(int i, std::int64_t cell) { return f[static_cast<std::size_t>(i * cells() + cell)]; }
  [[nodiscard]] double at(int i, std::int64_t cell) const { return f[static_cast<std::size_t>(i * cells() + cell)]; }

  /// Makes this object equal to a new one; uses the existing memory if it suffices.
  void reset(int velocities, const Box& of);
  /// Sets all populations to NaN.
  void poison();
  /// Copies the cells that lie in both boxes from `other`.
  void take(const Populations& other);
  /// The sum of all populations, compensated.
  [[nodiscard]] double total() const;
};

/// One rung working on one case.
template <class Model>
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// Advances the lattice; may return before the work is done.
  virtual void advance(std::int64_t steps) = 0;

  /// Returns when all work of earlier advance() calls is done.
  virtual void wait() {}

  /// Fills `out` with the post-collision populations of the cells of `out.box` after the last step, at any parity.
  virtual void store(Populations& out) = 0;

  /// Replaces the populations of the cells of `in.box`, as store() would give them.
  virtual void load(const Populations& in) = 0;

  /// The sum of all populations of all cells, which every step conserves; computed where the lattice is stored.
  virtual double conserved() = 0;

  /// The observable that the model defines (d2q9: average speed), one value per step since construction, if the model records
  /// it (`Model::records`), else nothing. Valid after wait().
  virtual std::span<const double> history() { return {}; }
};

/// Bytes that a rung's kernels move for one update: a formula of the bytes of a number and, if it depends on them, of the case
/// and the tuning. The first figure is that of the memory level that the rung is compared at.
template <class Model>
class TrafficModel {
 public:
  using Case = typename Model::Case;
  using OfNumber = Traffic (*)(double real);
  using OfCase = std::vector<Traffic> (*)(double real, const Case&, const Tuning&);

  template <std::convertible_to<OfNumber> Formula>
  constexpr TrafficModel(Formula formula) : of_number_(formula) {}  // NOLINT(google-explicit-constructor)
  template <std::convertible_to<OfCase> Formula>
  constexpr TrafficModel(Formula formula) : of_case_(formula) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::vector<Traffic> operator()(const Number& number, const Case& c, const Tuning& tuning) const {
    const auto bytes = static_cast<double>(number.bytes);
    if (of_case_ != nullptr) return of_case_(bytes, c, tuning);
    return {of_number_(bytes)};
  }

 private:
  OfNumber of_number_ = nullptr;
  OfCase of_case_ = nullptr;
};

/// The C++ types in which lattices are stored.
template <class... T>
struct Stored {
  static constexpr std::array<Number, sizeof...(T)> numbers = {number_of<T>()...};
};

/// Makes a rung's solver, and knows in which numbers the rung stores its lattice.
template <class Model>
struct Maker {
  using Make = std::unique_ptr<Solver<Model>>(const typename Model::Case&, const Number&, const Tuning&);

  Make* make;
  std::span<const Number> numbers = Model::Numbers::numbers;  ///< that the rung accepts

  /// Allocates, poisons with NaN, and writes the case's initial state.
  /// @throws Unavailable  if it cannot run here; InputError if the number is not accepted or the tuning is beyond the
  ///         device's limits
  std::unique_ptr<Solver<Model>> operator()(const typename Model::Case& c, const Number& number, const Tuning& tuning) const {
    require(number);
    return make(c, number, tuning);
  }

  /// @throws InputError if the rung does not accept the number
  void require(const Number& number) const {
    std::string accepted;
    for (const Number& n : numbers) {
      if (n == number) return;
      accepted += (accepted.empty() ? "" : ", ") + std::string(n.name);
    }
    throw InputError("this rung does not store " + std::string(number.name) + "; accepted: " + accepted);
  }
};

/// The declaration of a rung beside its kernel. Exactly one object of this type, named by the model (`d2q9::rung`), must be
/// defined in each rung; its id, backend and idea come from the build and from the kernel file's header.
template <class Model>
struct Rung {
  /// Id of the rung that this one adds one idea to; empty for the first of a ladder.
  std::string_view follows;
  /// Bytes that this rung's kernels move for one update.
  TrafficModel<Model> traffic;
  /// Number of lattices in memory at once (2 for a pair of arrays, 1 in place).
  double lattices = 2;
  std::vector<Tunable> tunables = {};
  /// Conditions on every tuning on any machine; the harness refuses tunings that violate one.
  std::vector<Constraint> constraints = {};
  /// Additional conditions of this machine's device, as far as they are known without a case; `make` enforces them.
  /// @throws Unavailable  if there is no device
  std::vector<Constraint> (*device_constraints)() = nullptr;
  /// Form of the collision that it computes (a name of `Model::operations()`).
  std::string_view collision = "factored";
  Maker<Model> make;
};

template <template <class> class S, class Model, class Types>
struct SolverOf;
template <template <class> class S, class Model, class... T>
struct SolverOf<S, Model, Stored<T...>> {
  static std::unique_ptr<Solver<Model>> make(const typename Model::Case& c, const Number& number, const Tuning& tuning) {
    std::unique_ptr<Solver<Model>> solver;
    ((number == number_of<T>() ? void(solver = std::make_unique<S<T>>(c, tuning)) : void()), ...);
    return solver;
  }
};

/// Adapts a class template `S<real>` with constructor (case, tuning) to `Rung::make`, for the model's numbers or for fewer:
/// `make_solver<S, Model, Stored<double>>`.
template <template <class> class S, class Model, class Types = typename Model::Numbers>
inline constexpr Maker<Model> make_solver = {SolverOf<S, Model, Types>::make, Types::numbers};

}  // namespace ladder
