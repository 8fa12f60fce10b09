// The UoB-HPC input files: parameters and obstacles.
#include <fmt/format.h>

#include "harness/error.hpp"
#include "harness/input_file.hpp"
#include "harness/memory.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {
namespace {

using ladder::InputError;
namespace fs = std::filesystem;

constexpr auto whole_size = [](double v) { return v >= 3 && v <= 2147483647; };
constexpr auto is_steps = [](double v) { return v >= 1 && v <= 1e15; };

const std::vector<ladder::InputNumber> parameters = {
    {"nx", "an integer from 3 to 2147483647", true, whole_size},
    {"ny", "an integer from 3 to 2147483647", true, whole_size},
    {"steps", "an integer from 1 to 1000000000000000", true, is_steps},
    {"reynolds_dim", "an integer from 1 to 2147483647", true, [](double v) { return v >= 1 && v <= 2147483647; }},
    {"density", "a finite number above 0", false, [](double v) { return v > 0; }},
    {"accel", "a finite number from 0", false, [](double v) { return v >= 0; }},
    {"omega", "a number between 0 and 2, both excluded", false, [](double v) { return v > 0 && v < 2; }}};

}  // namespace

Case parse_parameters(const fs::path& path, std::string_view text) {
  const auto numbers = ladder::read_numbers(path, text, parameters);
  return {.name = path.stem().string(),
          .nx = static_cast<int>(numbers[0]),
          .ny = static_cast<int>(numbers[1]),
          .steps = static_cast<std::int64_t>(numbers[2]),
          .reynolds_dim = static_cast<int>(numbers[3]),
          .density = numbers[4],
          .accel = numbers[5],
          .omega = numbers[6]};
}

void parse_obstacles(const fs::path& path, std::string_view text, Case& c) {
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  ladder::InputWords words(path, text);
  const auto take = [&](std::string_view name, std::int64_t least, std::int64_t most, std::string_view accepted) {
    if (words.word().empty()) words.fail(fmt::format("the file ends where {} is missing ({})", name, accepted));
    const std::int64_t value = words.integer(name, accepted);
    if (value < least || value > most) words.fail(fmt::format("{} is {}; accepted: {}", name, value, accepted));
    words.next();
    return value;
  };
  const std::string accepted_x = fmt::format("an integer from 0 to {}, inside the grid", c.nx - 1);
  const std::string accepted_y = fmt::format("an integer from 0 to {}, inside the grid", c.ny - 1);
  words.next();
  while (!words.word().empty()) {
    const std::int64_t x = take("x", 0, c.nx - 1, accepted_x);
    const std::int64_t y = take("y", 0, c.ny - 1, accepted_y);
    take("the flag", 1, 1, "1");
    c.solid[static_cast<std::size_t>(y * c.nx + x)] = 1;
  }
  if (c.fluid_cells() == 0) throw InputError(fmt::format("{}: every cell is solid; at least one must be fluid", path.string()));
}

Case read_case(const fs::path& params, const fs::path& obstacles) {
  Case c = parse_parameters(params, ladder::read_input(params, "a parameter file of 7 lines"));
  ladder::require_memory(static_cast<double>(c.nx) * c.ny * (2 * q * sizeof(float)),
                         fmt::format("{}: a grid of {}x{}", params.string(), c.nx, c.ny));
  // Each cell may be named more than once, with blanks between.
  const std::size_t most_bytes = (std::size_t{1} << 20) + 64 * static_cast<std::size_t>(c.cells());
  parse_obstacles(obstacles, ladder::read_input(obstacles, "an obstacle file of lines `x y 1`", most_bytes), c);
  return c;
}

}  // namespace d2q9
