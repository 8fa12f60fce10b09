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
#include "harness/bench/obstacles.hpp"
#include "harness/bench/rung_info.hpp"
#include "harness/record/tuning.hpp"
#include "roofline/model/number.hpp"
#include "roofline/model/traffic.hpp"

/// The interface between a rung and the harness. A rung is responsible only for data movement: layout, streaming, kernels,
/// launches. It does not measure time, print, loop over sizes or parse arguments.
namespace ladder {

/// The populations of a box of cells in canonical order: f[i * box.cells() + n] is population i of the box's n-th cell (x
/// fastest), post-collision, in double precision.
struct Populations {
  int q = 0;
  Box box;
  Numbers<double> f;

  Populations() = default;
  /// All populations start as NaN, so that any population that a rung fails to store is detected.
  Populations(int q, const Box& box);

  [[nodiscard]] std::int64_t cells() const { return box.cells(); }
  /// Population i of the box's cell `cell`.
  double& at(int i, std::int64_t cell) { return f[static_cast<std::size_t>(i * cells() + cell)]; }
  [[nodiscard]] double at(int i, std::int64_t cell) const { return f[static_cast<std::size_t>(i * cells() + cell)]; }

  /// Reinitializes this object, reusing its memory if large enough.
  void reset(int velocities, const Box& of);
  /// Sets all populations to NaN.
  void poison();
  /// Copies from `other` the cells that both boxes contain.
  void take(const Populations& other);
  /// The sum of all populations, with compensated summation.
  [[nodiscard]] double total() const;
};

/// A rung at work on one case.
template <class Model>
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// Advances the lattice; may return before the work is done.
  virtual void advance(std::int64_t steps) = 0;

  /// Returns once all work of earlier advance() calls is done.
  virtual void wait() {}

  /// Fills `out` with the post-collision populations of the cells of `out.box` after the last step, at any parity.
  virtual void store(Populations& out) = 0;

  /// Replaces the populations of the cells of `in.box`, in the format of store().
  virtual void load(const Populations& in) = 0;

  /// The sum of all populations over all cells, which every step conserves. It is computed where the lattice is stored.
  virtual double conserved() = 0;

  /// The observable defined by the model (d2q9: average speed), with one value per step since construction; empty unless
  /// `Model::records`. Valid after wait().
  virtual std::span<const double> history() { return {}; }
};

/// Bytes that a rung's kernels move per update, as a formula of the bytes per value and, where needed, of the case and the
/// tuning. The first level is the one used to compare the rung with a ceiling.
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

/// The C++ types in which a lattice may be stored.
template <class... T>
struct Stored {
  static constexpr std::array<Number, sizeof...(T)> numbers = {number_of<T>()...};
};

/// Creates a rung's solver and knows in which number formats the rung stores its lattice.
template <class Model>
struct Maker {
  using Make = std::unique_ptr<Solver<Model>>(const typename Model::Case&, const Number&, const Tuning&);

  Make* make;
  std::span<const Number> numbers = Model::Numbers::numbers;  ///< formats that the rung accepts

  /// Allocates the lattice, fills it with NaN, and writes the case's initial state.
  /// @throws Unavailable  if the rung cannot run here; InputError if it does not accept the number format or the case's
  /// obstacles or open boundaries, or the tuning exceeds the device's limits
  std::unique_ptr<Solver<Model>> operator()(const typename Model::Case& c, const Number& number, const Tuning& tuning) const {
    require(number);
    auto solver = make(c, number, tuning);
    const OptionalParts parts = optional_parts<Model>(c);
    if (parts.obstacles && dynamic_cast<const TakesObstacles*>(solver.get()) == nullptr)
      throw Refused(Reason::no_such_case, "this rung does not accept cases with obstacles");
    if (parts.open_boundaries && dynamic_cast<const TakesOpenBoundaries*>(solver.get()) == nullptr)
      throw Refused(Reason::no_such_case, "this rung does not accept cases with open boundaries");
    return solver;
  }

  /// @throws InputError if the rung does not accept the number format
  void require(const Number& number) const {
    std::string accepted;
    for (const Number& n : numbers) {
      if (n == number) return;
      accepted += (accepted.empty() ? "" : ", ") + std::string(n.name);
    }
    throw InputError("this rung does not store " + std::string(number.name) + "; accepted: " + accepted);
  }
};

/// A rung's declaration, next to its kernel. Each rung must define exactly one object of this type, with the name that the
/// model specifies (`d2q9::rung`). Its id, backend and idea come from the build and the kernel file's header.
template <class Model>
struct Rung {
  /// Id of the rung to which this one adds one idea; empty for the first rung of a ladder.
  std::string_view follows;
  /// Bytes that this rung's kernels move per update.
  TrafficModel<Model> traffic;
  /// Number of lattice copies in memory (2 for a pair of arrays, 1 for in-place updates).
  double lattices = 2;
  std::vector<Tunable> tunables = {};
  /// Conditions on tunings that hold on any machine; the harness rejects tunings that violate one.
  std::vector<Constraint> constraints = {};
  /// Additional conditions imposed by this machine's device, as far as they are known without a case. `make` enforces them.
  /// @throws Unavailable  if there is no device
  std::vector<Constraint> (*device_constraints)() = nullptr;
  /// The form of the collision operator used (a name in `Model::operations()`).
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

/// Adapts a class template `S<real>` with a constructor (case, tuning) to `Rung::make`, for the model's number formats or a
/// subset: `make_solver<S, Model, Stored<double>>`.
template <template <class> class S, class Model, class Types = typename Model::Numbers>
inline constexpr Maker<Model> make_solver = {SolverOf<S, Model, Types>::make, Types::numbers};

}  // namespace ladder
