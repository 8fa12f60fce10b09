#pragma once

#include <concepts>
#include <string>
#include <type_traits>

namespace ladder {

/// A field of a type that is stored or answered as a JSON object. Such a type names each once, beside its members:
///
///     void for_each_field(Is<Type> auto& object, auto&& visit);  // visit(Field, member), in order
struct Field {
  /// `needed`: an answer without it is refused. `if_known`: left out of an answer if it has its default value. `any_sign`: its
  /// integers may be negative.
  enum Rule { none, needed, if_known, any_sign, needed_any_sign };

  const char* name;
  const char* unit;
  const char* meaning;
  Rule rule = none;

  [[nodiscard]] constexpr bool is_needed() const { return rule == needed || rule == needed_any_sign; }
  [[nodiscard]] constexpr bool has_any_sign() const { return rule == any_sign || rule == needed_any_sign; }
};

template <class T, class C>
concept Is = std::same_as<std::remove_const_t<T>, C>;

/// The part of an object that is its base.
template <class Base>
Base& base_of(Base& object) {
  return object;
}
template <class Base>
const Base& base_of(const Base& object) {
  return object;
}

/// A field as docs/architecture.md describes it: `machine.caches[].bytes`, `rungs.*.id`.
struct FieldText {
  std::string name, type, unit, meaning;
};

}  // namespace ladder
