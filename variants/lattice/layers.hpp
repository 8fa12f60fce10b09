#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "variants/lattice/input.hpp"

/// Two thin shear layers in a periodic box, the same in all planes of constant z: M. L. Minion and D. L. Brown,
/// J. Comput. Phys. 138 (1997) 734. The layers roll up into two vortices. At short relaxation times, this flow diverges.
///
/// Symbols are hidden because those that a model's library exports affect the bytes of its rungs, and thus the keys of stored
/// rows.
#pragma GCC visibility push(hidden)

namespace lattice::layers {

inline constexpr double width = 1. / 80;  ///< of a layer, relative to the side along y
inline constexpr double tilt = 0.05;      ///< largest initial speed across the layers, relative to that along them
inline constexpr int turnovers = 4;       ///< number of times the flow crosses the box along x in a run

/// An example of a name, for messages.
inline constexpr std::string_view example = "layers0.501@0.05-64";

/// The model with the name of a case with shear layers, for messages.
template <class Model>
struct WithLayers : Model {
  static std::vector<std::string> case_names() {
    std::vector<std::string> all = Model::case_names();
    all.emplace_back(example);
    return all;
  }
};

/// Whether a name belongs to a case with shear layers: `layers<TAU>@<SPEED>-<N>` or `layers<TAU>@<SPEED>-<NX>x<NY>…`.
inline bool is_name(std::string_view name) { return name.starts_with("layers"); }

namespace detail {

/// Parses a number in a case name. `range` describes what `accepts` accepts. @throws ladder::InputError unless the number is
/// accepted, and in its shortest form, because a case has one name
inline double number(std::string_view name, std::string_view digits, std::string_view what, std::string_view range,
                     bool (*accepts)(double)) {
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || stop != digits.data() + digits.size() || !accepts(value) || fmt::format("{}", value) != digits)
    throw ladder::InputError(
        fmt::format("case '{}': '{}' is not a {}; accepted are numbers {}, in their shortest form, as in '{}'", name, digits,
                    what, range, example));
  return value;
}

}  // namespace detail

/// Whether a case has shear layers: a negative speed, which no parameter file may contain, marks them.
template <class Case>
bool has_layers(const Case& c) {
  return c.speed < 0;
}

/// A case with the name and the sides of `name`. @throws ladder::InputError for an invalid size
template <class Model>
typename Model::Case sized_case(const std::string& name, const std::string& kind, int largest) {
  struct OneKind : Model {
    static std::vector<std::string> case_names() { return {"layers-64"}; }
  };
  const std::string plain = "layers-" + name.substr(std::min(kind.size() + 1, name.size()));
  try {
    auto c = named_case<OneKind>(plain, largest);
    c.name = name;
    return c;
  } catch (const ladder::InputError& e) {
    throw ladder::InputError(ladder::replace_all(e.what(), plain, name));
  }
}

/// The case of such a name, for a model whose cases have `tau` and `speed`. @throws ladder::InputError
template <class Model>
typename Model::Case make_case(std::string_view name, int largest) {
  const std::string kind(name.substr(0, name.find('-')));
  const std::string_view numbers = std::string_view(kind).substr(std::string_view("layers").size());
  const auto at = std::min(numbers.find('@'), numbers.size());
  const double tau = detail::number(name, numbers.substr(0, at), "relaxation time", "above 0.5 and up to 10",
                                    [](double v) { return v > 0.5 && v <= 10; });
  // The shortest form of a smaller number has an exponent, e.g. 1e-05, and a '-' in a name precedes the size.
  const double speed = detail::number(name, numbers.substr(std::min(at + 1, numbers.size())), "speed", "from 0.0001 to 0.5",
                                      [](double v) { return v >= 0.0001 && v <= 0.5; });
  auto c = sized_case<Model>(std::string(name), kind, largest);
  c.tau = tau;
  c.speed = -speed;
  c.steps = std::llround(turnovers * c.nx / speed);
  return c;
}

/// The initial flow, with density 1.
template <class Macroscopic, class Case>
Macroscopic start(const Case& c, std::int64_t x, std::int64_t y) {
  const double speed = std::abs(c.speed);
  const double along = (static_cast<double>(x) + 0.5) / static_cast<double>(c.whole()[0]);
  const double height = (static_cast<double>(y) + 0.5) / static_cast<double>(c.whole()[1]);
  return {1, speed * std::tanh((height <= 0.5 ? height - 0.25 : 0.75 - height) / width),
          tilt * speed * std::sin(2 * std::numbers::pi * (along + 0.25)), 0};
}

}  // namespace lattice::layers

#pragma GCC visibility pop
