#include "harness/record/kernel_header.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/error.hpp"

namespace ladder {

KernelHeader parse_kernel_header(std::string_view text) {
  KernelHeader header;
  const std::pair<std::string_view, std::string*> keys[] = {{"Idea:", &header.idea},
                                                            {"Layout:", &header.layout},
                                                            {"Traffic:", &header.traffic},
                                                            {"Source:", &header.source},
                                                            {"Bound:", &header.bound}};
  std::string* current = nullptr;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");) {
    const bool continues = line.starts_with("//  ");
    line.erase(0, line.find_first_not_of(' ', 2));
    const auto* key = std::find_if(std::begin(keys), std::end(keys), [&](const auto& k) { return line.starts_with(k.first); });
    if (!continues && key == std::end(keys)) break;
    if (!continues) {
      current = key->second;
      line.erase(0, key->first.size());
      line.erase(0, line.find_first_not_of(' '));
    }
    if (current == nullptr) break;
    *current += (current->empty() ? "" : " ") + line;
  }
  for (const auto& [key, value] : keys)
    if (value->empty()) throw InputError("the kernel file has no header line '" + std::string(key) + "'");
  return header;
}

}  // namespace ladder
