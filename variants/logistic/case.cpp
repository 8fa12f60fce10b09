#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "variants/lattice/input.hpp"
#include "variants/logistic/model.hpp"

namespace logistic {
namespace {

constexpr int largest_side = 65535;

/// Keys of an element's random numbers.
enum Draw : std::uint64_t { word_a, word_b, choice, start, draws };

std::uint64_t key(std::uint64_t element, Draw draw) { return draws * element + draw; }

}  // namespace

std::string Case::content() const {
  const std::string numbers = fmt::format("{} {} {} {}", nx, ny, is_mixed ? "mixed" : "random", is_seeded ? "seeded" : "own");
  return fmt::format("{:016x}", ladder::fnv1a(numbers));
}

Words Case::words(std::int64_t x, std::int64_t y) const {
  const std::uint64_t element = number_in_whole(x, y, 0);
  const auto a = static_cast<std::uint32_t>(ladder::mixed(key(element, word_a)));
  const auto b = static_cast<std::uint32_t>(ladder::mixed(key(element, word_b)));
  if (!is_mixed && !is_seeded) return {a, b};
  const std::uint64_t bits = ladder::mixed(key(element, choice));
  if (bits % 2 == 0) return {a, a};
  const std::uint32_t change = 1 + b % 255;
  return {a, a ^ change << (8 * (bits / 2 % 4))};
}

std::array<std::vector<std::uint32_t>, 2> Case::all_words() const {
  std::array<std::vector<std::uint32_t>, 2> all;
  for (auto& words : all)
    words.resize(static_cast<std::size_t>(cells()));
  ladder::in_parts(cells(), ladder::worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) {
      const auto [a, b] = words(n % nx, n / nx);
      all[0][static_cast<std::size_t>(n)] = a;
      all[1][static_cast<std::size_t>(n)] = b;
    }
  });
  return all;
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return {0.05 + 0.9 * ladder::uniform(key(number_in_whole(x, y, z), start))};
}

Case Model::make_case(std::string_view case_name) {
  Case c = lattice::named_case<Model>(case_name, largest_side);
  c.is_mixed = case_name.starts_with("mixed-");
  c.steps = 100'000;
  ladder::require_room(static_cast<double>(c.cells()) * (sizeof(double) + sizeof(Words)), fmt::format("case '{}'", case_name));
  return c;
}

Case Model::read_case(std::span<const std::string>) {
  throw ladder::InputError(
      fmt::format("the model {} reads no files; accepted is a generated case: --case {}", name, case_names().front()));
}

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("random-7x5")), seeded(make_case("mixed-37x23")), seeded(make_case("mixed-300x3"))};
}

}  // namespace logistic
