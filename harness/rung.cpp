#include "harness/rung.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "harness/describe.hpp"
#include "harness/error.hpp"
#include "harness/parallel.hpp"

namespace ladder {

Populations::Populations(int q_, std::int64_t cells_) : q(q_), cells(cells_), f(static_cast<std::size_t>(q_ * cells_)) {
  poison();
}

void Populations::poison() {
  in_parts(q * cells, worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    std::fill(f.begin() + first, f.begin() + last, std::numeric_limits<double>::quiet_NaN());
  });
}

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
