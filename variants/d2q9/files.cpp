// The UoB-HPC file formats: parameters, obstacles, av_vels.dat and final_state.dat.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "harness/error.hpp"
#include "harness/memory.hpp"
#include "harness/output.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {
namespace {

using ladder::InputError;
namespace fs = std::filesystem;

std::string read_whole(const fs::path& path, std::string_view what) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(fmt::format("{}: no such file; expected {}", path.string(), what));
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; expected {}", path.string(), what));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read; expected {}", path.string(), what));
  std::string text;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw InputError(fmt::format("{}: cannot be read to its end", path.string()));
  return text;
}

/// Takes the next line off the front of `text`; false where there is none.
bool take_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return true;
}

/// The blank-separated words of a line.
std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view blank = " \t\r\v\f";
  std::vector<std::string_view> found;
  for (auto begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(blank, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blank, end);
  }
  return found;
}

/// Reads numbers of one file, naming file, line and value where something is wrong.
struct Place {
  const fs::path& path;
  int line;

  [[noreturn]] void fail(std::string_view what) const { throw InputError(fmt::format("{}:{}: {}", path.string(), line, what)); }

  template <class T>
  T number(std::string_view word, std::string_view name, std::string_view accepted) const {
    T value{};
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(static_cast<double>(value)))
      fail(fmt::format("{} is '{}'; accepted: {}", name, word, accepted));
    return value;
  }
};

struct Parameter {
  std::string_view name, accepted;
};

constexpr std::array<Parameter, 7> parameters = {{{"nx", "an integer from 3 to 2147483647"},
                                                  {"ny", "an integer from 3 to 2147483647"},
                                                  {"steps", "an integer from 1"},
                                                  {"reynolds_dim", "an integer from 1"},
                                                  {"density", "a finite number above 0"},
                                                  {"accel", "a finite number from 0"},
                                                  {"omega", "a number between 0 and 2, both excluded"}}};

}  // namespace

Case parse_parameters(const fs::path& path, std::string_view text) {
  Case c;
  c.name = path.stem().string();
  std::size_t count = 0;
  int line_number = 0;
  for (std::string_view line; take_line(text, line);) {
    const Place place{path, ++line_number};
    const auto values = words(line);
    if (values.empty()) continue;
    if (count == parameters.size())
      place.fail(fmt::format("'{}' is one value too many; accepted: 7 values, one a line", values[0]));
    const std::string_view name = parameters[count].name;
    const std::string_view accepted = parameters[count].accepted;
    if (values.size() != 1) place.fail(fmt::format("'{}' is more than one value; accepted: {}, {}", line, name, accepted));
    const auto integer = [&](auto least) {
      const auto value = place.number<decltype(least)>(values[0], name, accepted);
      if (value < least) place.fail(fmt::format("{} is {}; accepted: {}", name, value, accepted));
      return value;
    };
    const auto real = [&](auto in_range) {
      const auto value = place.number<double>(values[0], name, accepted);
      if (!in_range(value)) place.fail(fmt::format("{} is {}; accepted: {}", name, values[0], accepted));
      return value;
    };
    switch (count++) {
      case 0:
        c.nx = integer(3);
        break;
      case 1:
        c.ny = integer(3);
        break;
      case 2:
        c.steps = integer(std::int64_t{1});
        break;
      case 3:
        c.reynolds_dim = integer(1);
        break;
      case 4:
        c.density = real([](double v) { return v > 0; });
        break;
      case 5:
        c.accel = real([](double v) { return v >= 0; });
        break;
      default:
        c.omega = real([](double v) { return v > 0 && v < 2; });
    }
  }
  if (count < parameters.size())
    Place{path, line_number + 1}.fail(fmt::format("the file ends after {} values; '{}' is missing ({})", count,
                                                  parameters[count].name, parameters[count].accepted));
  return c;
}

void parse_obstacles(const fs::path& path, std::string_view text, Case& c) {
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  int line_number = 0;
  for (std::string_view line; take_line(text, line);) {
    const Place place{path, ++line_number};
    const auto values = words(line);
    if (values.empty()) continue;
    if (values.size() != 3) place.fail(fmt::format("'{}' has {} values; accepted: lines `x y 1`", line, values.size()));
    const auto coordinate = [&](std::string_view word, std::string_view name, int size) {
      const std::string accepted = fmt::format("an integer from 0 to {}", size - 1);
      const int value = place.number<int>(word, name, accepted);
      if (value < 0 || value >= size)
        place.fail(fmt::format("{} is {}, outside the grid; accepted: {}", name, value, accepted));
      return value;
    };
    const int x = coordinate(values[0], "x", c.nx);
    const int y = coordinate(values[1], "y", c.ny);
    if (values[2] != "1") place.fail(fmt::format("the flag is '{}'; accepted: 1", values[2]));
    c.solid[static_cast<std::size_t>(y) * c.nx + x] = 1;
  }
  if (c.fluid_cells() == 0) throw InputError(fmt::format("{}: every cell is solid; at least one must be fluid", path.string()));
}

Case read_case(const fs::path& params, const fs::path& obstacles) {
  Case c = parse_parameters(params, read_whole(params, "a parameter file of 7 lines"));
  ladder::require_memory(static_cast<double>(c.nx) * c.ny * (2 * q * sizeof(float)),
                         fmt::format("{}: a grid of {}x{}", params.string(), c.nx, c.ny));
  parse_obstacles(obstacles, read_whole(obstacles, "an obstacle file of lines `x y 1`"), c);
  return c;
}

Case Model::read_case(std::span<const fs::path> files) { return d2q9::read_case(files[0], files[1]); }

namespace {

/// Macroscopic fields of a cell as the output files show them: a solid cell is at rest, at the density of the start.
Macroscopic shown(const Case& c, const ladder::Populations& state, std::int64_t cell) {
  if (c.solid[static_cast<std::size_t>(cell)] != 0) return {c.density, 0, 0};
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[i] = state.at(i, cell);
  return macroscopic(f);
}

}  // namespace

std::string Model::picture(const Case& c, const ladder::Populations& state) {
  const int stride = (std::max(c.nx, c.ny) + 255) / 256;
  std::string text = "x,y,speed,solid\n";
  for (int y = 0; y < c.ny; y += stride)
    for (int x = 0; x < c.nx; x += stride) {
      const std::int64_t cell = std::int64_t{y} * c.nx + x;
      const Macroscopic m = shown(c, state, cell);
      fmt::format_to(std::back_inserter(text), "{},{},{:.4g},{}\n", x, y, std::hypot(m.ux, m.uy),
                     c.solid[static_cast<std::size_t>(cell)]);
    }
  return text;
}

void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history, const fs::path& folder) {
  std::string speeds;
  for (std::size_t step = 0; step < history.size(); ++step)
    fmt::format_to(std::back_inserter(speeds), "{}:\t{:.12E}\n", step, history[step]);

  std::string fields;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const std::int64_t cell = std::int64_t{y} * c.nx + x;
      const Macroscopic m = shown(c, state, cell);
      fmt::format_to(std::back_inserter(fields), "{} {} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, m.ux, m.uy,
                     std::hypot(m.ux, m.uy), m.density / 3, c.solid[static_cast<std::size_t>(cell)]);
    }
  ladder::write_files(folder, {{std::string(Model::result_files[0]), speeds}, {std::string(Model::result_files[1]), fields}});
}

}  // namespace d2q9
