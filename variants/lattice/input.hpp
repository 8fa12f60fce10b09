#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/input_file.hpp"

/// Creates cases from names and from files.
namespace lattice {

/// Returns the generated case `<kind>-<N>` or `<kind>-<NX>x<NY>…` with its name and its sides, each from 3 to `largest`. The
/// kinds come from Model::case_names(), whose names contain a '-' and are sorted by kind.
/// @throws ladder::InputError for an unknown kind, naming the nearest known name, and for an invalid size
template <class Model>
typename Model::Case named_case(std::string_view name, int largest) {
  constexpr std::size_t axes = Model::Lattice::dimensions;
  constexpr std::string_view form = axes == 2 ? "NXxNY" : "NXxNYxNZ";
  std::vector<std::string> accepted;
  bool is_known = false;
  for (const std::string& known : Model::case_names()) {
    const std::string kind = known.substr(0, known.find('-') + 1);
    is_known = is_known || name.starts_with(kind);
    if (accepted.empty() || !accepted.back().starts_with(kind))
      accepted.insert(accepted.end(), {kind + "N", kind + std::string(form)});
  }
  if (!is_known)
    throw ladder::InputError(fmt::format("unknown case '{}'{}; accepted are {}", name,
                                         ladder::suggestion(name, Model::case_names()), fmt::join(accepted, ", ")));

  const std::string_view size = name.substr(name.find('-') + 1);
  const auto refuse = [&](std::string_view what) {
    throw ladder::InputError(fmt::format("case '{}': '{}' is not a size; accepted are integers from 3 to {}, as N or {}", name,
                                         what, largest, form));
  };
  std::vector<int> sides;
  for (std::string_view rest = size;;) {
    const auto end = std::min(rest.find('x'), rest.size());
    const std::string_view digits = rest.substr(0, end);
    int side = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), side);
    if (error != std::errc{} || stop != digits.data() + digits.size() || side < 3 || side > largest) refuse(digits);
    sides.push_back(side);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (sides.size() == 1) sides.assign(axes, sides[0]);
  if (sides.size() != axes) refuse(size);
  typename Model::Case c;
  c.name = name;
  c.nx = sides[0];
  c.ny = sides[1];
  if (axes == 3) c.nz = sides[2];
  return c;
}

/// An entry of a model's parameter file: the case member that it sets and the values it accepts. Members of integer type accept
/// only integers.
template <class Case>
struct Parameter {
  std::variant<int Case::*, std::int64_t Case::*, double Case::*> member;
  std::string_view name, accepted;
  bool (*accepts)(double);
};

/// Parses a case from `text`, the content of the file `path`, with one of the `parameters` per line. The case is named after
/// the file.
/// @throws ladder::InputError naming the file, line, value and what is accepted
template <class Case>
Case parse_parameters(const std::string& path, std::string_view text, const std::vector<Parameter<Case>>& parameters) {
  std::vector<ladder::InputNumber> expected;
  for (const auto& p : parameters)
    expected.push_back({p.name, p.accepted, !std::holds_alternative<double Case::*>(p.member), p.accepts});
  const auto numbers = ladder::read_numbers(path, text, expected);
  Case c;
  c.name = std::filesystem::path(path).stem().string();
  for (std::size_t n = 0; n < numbers.size(); ++n)
    std::visit([&](auto member) { c.*member = static_cast<std::remove_reference_t<decltype(c.*member)>>(numbers[n]); },
               parameters[n].member);
  return c;
}

}  // namespace lattice
