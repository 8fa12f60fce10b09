#pragma once

#include <concepts>
#include <string>
#include <type_traits>

namespace ladder {

/// A field of a type that is stored or answered as a JSON object. Such a type lists each field once, with its member:
///
///     void for_each_field(Is<Type> auto& object, auto&& visit);  // visit(Field, member), in order
struct Field {
  /// `needed`: answers without it are rejected. `if_known`: left out of answers if it has its default value. `any_sign`: its
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

/// The base-class part of an object.
template <class Base>
Base& base_of(Base& object) {
  return object;
}
template <class Base>
const Base& base_of(const Base& object) {
  return object;
}

/// A field as listed in docs/architecture.md: `machine.caches[].bytes`, `rungs.*.id`.
struct FieldText {
  std::string name, type, unit, meaning;
};

}  // namespace ladder
