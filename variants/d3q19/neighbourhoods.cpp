#include "variants/d3q19/neighbourhoods.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace d3q19 {
namespace {

Neighbourhoods::Kinds kinds_around(const Case& c, const std::array<std::int64_t, 3>& cell) {
  Neighbourhoods::Kinds kinds{};
  for (int i = 1; i < q; ++i)
    kinds[static_cast<std::size_t>(i / 10)] |=
        (static_cast<std::uint32_t>(c.kind(cell[0] + d3q19_cx[i], cell[1] + d3q19_cy[i], cell[2] + d3q19_cz[i])) & 7u)
        << 3 * (i % 10);
  return kinds;
}

}  // namespace

Neighbourhoods::Neighbourhoods(const Case& c) : codes(flags(c)), table(other) {
  const std::vector<std::uint32_t> near = near_cells(codes);
  const ladder::Box box{{}, c.grid()};
  std::map<Kinds, std::int64_t> count;
  for (const std::uint32_t n : near)
    ++count[kinds_around(c, box.place(n))];
  std::vector<std::pair<std::int64_t, Kinds>> frequent;
  for (const auto& [kinds, cells] : count)
    frequent.emplace_back(-cells, kinds);
  std::ranges::sort(frequent);
  std::map<Kinds, std::uint8_t> code_of;
  for (std::size_t code = first; code < other && code - first < frequent.size(); ++code) {
    table[code] = frequent[code - first].second;
    code_of[table[code]] = static_cast<std::uint8_t>(code);
  }
  for (std::uint8_t& code : codes)
    code = (code & D3Q19_FLUID) != 0 ? plain : solid;
  for (const std::uint32_t n : near) {
    const auto known = code_of.find(kinds_around(c, box.place(n)));
    codes[n] = known == code_of.end() ? other : known->second;
  }
}

}  // namespace d3q19
