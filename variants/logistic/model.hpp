#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/lattice/model.hpp"
#include "variants/logistic/map.h"

/// The model logistic: an array of values, each of which follows the logistic map with one of two factors, chosen by two words
/// per element. It is the toy case of Zheng, section 4.1 (docs/logistic.md); nothing streams, and nothing is conserved.
namespace logistic {

using Lattice = lattice::D2Q1;
inline constexpr int q = Lattice::q;

/// The words of an element: the factor is 4 if they differ, 3.8 if they are equal.
struct Words {
  std::uint32_t a, b;
};

/// One problem: nx times ny elements. A step is one iteration of the map for each element.
struct Case : lattice::Case<Lattice> {
  /// false: words are random, as in the publication, and equal for one in 2^32 elements.
  /// true: for a random half of the elements, the words are equal; the others differ in one of their four bytes.
  bool is_mixed = false;

  /// Hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;
  /// The words of an element. Seeded cases use those of mixed cases, so that both branches are taken and each byte matters.
  [[nodiscard]] Words words(std::int64_t x, std::int64_t y) const;
  /// The words of all elements, [y * nx + x]: first all a, then all b.
  [[nodiscard]] std::array<std::vector<std::uint32_t>, 2> all_words() const;
  /// The value of an element at step 0, from 0.05 to 0.95.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// The reference that every rung is compared with: scalar, double-precision and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

 private:
  void step() override;
};

/// The expression as printed in the publication, r x (x - 1), which is the negative of the logistic map. For most initial
/// values it is unbounded (docs/logistic.md), so no rung computes it.
inline double printed_map(double r, double x) { return r * x * (x - 1); }

/// The description of the model for the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  using Numbers = ladder::Stored<double>;  // different rounding in single precision soon leads to a different orbit
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view observable = "mean";
  static constexpr bool records = false;
  static constexpr double flag_bytes = sizeof(Words);
  static constexpr std::string_view stabler = "numbers from 0 to 1";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 0> case_files = {};
  /// Files written by write_results(): one element per line.
  static constexpr std::array<std::string_view, 1> result_files = {"final_state.dat"};
  static constexpr std::array<std::string_view, 1> series_columns = {"mean"};

  /// The map conserves nothing.
  static bool conserves(const Case&) { return false; }

  static std::vector<std::string> case_names() { return {"random-64", "random-1024", "mixed-64", "mixed-1024"}; }
  /// Small seeded arrays. Every rung is checked on them in addition to the requested case.
  static std::vector<Case> companion_cases();
  /// A generated case such as `random-1024` (1024 x 1024 elements) or `mixed-48x32`. A run takes 10^5 steps, as in the
  /// publication.
  /// @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// @throws ladder::InputError always, because all cases are generated
  static Case read_case(std::span<const std::string> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// The values as CSV, `x,y,speed,solid`, subsampled to at most 256 per side; the column `speed` holds them.
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at the end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// The mean of a state.
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t step);
  /// Floating-point operations of one update, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// Traffic of kernels that read values and words once and write the values once per pass of all the case's steps.
inline std::vector<ladder::Traffic> once_a_pass(double real, const Case& c, const ladder::Tuning&) {
  const auto steps = static_cast<double>(c.steps);
  return {{(real + sizeof(Words)) / steps, real / steps}};
}

/// The executable's one rung.
extern const Rung rung;

}  // namespace logistic
