#include "harness/run/kernel_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "base/text.hpp"

namespace ladder {

std::string kernel_name(const std::string& symbol) {
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(symbol.substr(0, symbol.find('$')).c_str(), nullptr, nullptr, nullptr), std::free);
  if (!demangled) return symbol;
  std::string name = replace_all(demangled.get(), "(anonymous namespace)::", "");
  std::size_t end = 0;  // where the parameters begin; template arguments can also contain parentheses, e.g. `(Color)1`
  for (int depth = 0; end < name.size() && (depth > 0 || name[end] != '('); ++end)
    depth += (name[end] == '<' ? 1 : 0) - (name[end] == '>' ? 1 : 0);
  name = name.substr(0, end);
  constexpr std::string_view nothing = "void ";
  return name.starts_with(nothing) ? name.substr(nothing.size()) : name;
}

}  // namespace ladder
