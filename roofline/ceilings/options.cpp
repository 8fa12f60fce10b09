#include "roofline/ceilings/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "roofline/ceilings/message_kinds.hpp"

namespace ladder::ceilings {

namespace {

/// The element of `all` that is called `name`.
const auto& find_named(std::string_view name, const auto& all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const auto& one : all)
    names.emplace_back(one.name);
  throw InputError(fmt::format("unknown ceiling '{}'{}; accepted: {}", name, suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace

const Kind& find_kind(std::string_view name) {
  for (const Kind& kind : message_kinds)
    if (kind.name == name) return kind;
  return find_named(name, kinds);
}

const Maker& find_maker(std::string_view name, std::span<const Maker> makers) { return find_named(name, makers); }

std::vector<Store> stores_of(const Kind& kind) {
  return kind.write > 0 ? std::vector{Store::plain, Store::nt} : std::vector{Store::plain};
}

Store parse_store(const Kind& kind, const std::vector<std::string>& settings) {
  const std::vector<Store> stores = stores_of(kind);
  Store chosen = stores.back();
  for (const std::string& setting : settings) {
    std::vector<std::string> accepted;
    bool known = false;
    for (const Store store : stores) {
      accepted.push_back("store=" + std::string(to_string(store)));
      if (setting == accepted.back()) {
        chosen = store;
        known = true;
      }
    }
    if (!known)
      throw InputError(fmt::format("setting '{}'{}; {} accepts {}", setting, suggestion(setting, accepted), kind.name,
                                   fmt::join(accepted, ", ")));
  }
  return chosen;
}

}  // namespace ladder::ceilings
