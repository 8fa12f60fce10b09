#pragma once

#include <algorithm>
#include <string>

#include "variants/d2q9r/model.hpp"

/// How the warps of a pass share the lattice, and the tunables that control it.
namespace d2q9r {

/// Maximum threads per block, kept small so that each thread can use all the registers that it needs.
constexpr int most_pass_threads = 128;

/// Maximum of columns per lane times steps per pass in single precision, and half as many in double: with more, the sums that
/// wait for the next row would not fit in registers.
constexpr int most_waiting = 16;

/// The shape of a pass.
struct PassShape {
  int steps = 1;
  int width = 1;   ///< columns per lane
  int margin = 1;  ///< lanes by which strips overlap at each end
  int rows = 0;    ///< per segment
  int threads = most_pass_threads;

  /// The tuned shape for values that take `bytes` while computing.
  static PassShape tuned(const Case& c, const ladder::Tuning& tuning, std::size_t bytes) {
    const auto value = [&](const char* name, int otherwise) { return tuning.count(name) > 0 ? tuning.at(name) : otherwise; };
    PassShape shape;
    shape.steps = value("steps", shape.steps);
    shape.width = std::max(tuning.at("width") * static_cast<int>(sizeof(float)) / static_cast<int>(bytes), 1);
    if (c.nx % shape.width != 0) shape.width = 1;
    shape.margin = std::max(value("margin", 0), (shape.steps + shape.width - 1) / shape.width);
    shape.rows = tuning.at("rows");
    shape.threads = tuning.at("threads");
    return shape;
  }

  /// This shape with `rows` filled in, if `resident` warps run at once: enough segments to fill the GPU twice, but at least
  /// eight rows per segment for each step of a pass.
  [[nodiscard]] PassShape filled(const Case& c, int resident) const {
    PassShape shape = *this;
    if (rows > 0) return shape;
    const int segments = std::max(2 * resident / strips(c), 1);
    shape.rows = std::max((c.ny + segments - 1) / segments, 8 * steps);
    return shape;
  }

  [[nodiscard]] int columns() const { return (32 - 2 * margin) * width; }
  [[nodiscard]] int strips(const Case& c) const { return (c.nx + columns() - 1) / columns(); }
  [[nodiscard]] int segments(const Case& c) const { return (c.ny + rows - 1) / rows; }
  [[nodiscard]] int warps(const Case& c) const { return strips(c) * segments(c); }

  /// DRAM traffic of an update with `count` values of `real` bytes per cell. Each cell of a strip and segment is read once per
  /// pass, including the overlaps and `beyond` more rows per segment, and each cell of the lattice is written once.
  [[nodiscard]] ladder::Traffic traffic(int count, double real, const Case& c, int beyond) const {
    const double columns_read = 32.0 * width * strips(c) / c.nx;
    const double rows_read = 1 + static_cast<double>(beyond) * segments(c) / c.ny;
    const double once = count * real / steps;
    return {once * columns_read * rows_read, once};
  }
};

/// The tunables for the shape.
inline ladder::Tunable width_tunable(int initial) {
  return {.name = "width",
          .meaning =
              "columns per lane, and half as many (but one) in double precision; 1 if the row length is not a multiple of it",
          .values = {1, 2, 4},
          .initial = initial};
}
inline ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows per segment, through which a warp marches; 0: so many that all segments fill the GPU twice",
          .values = {0, 16, 32, 64, 128, 256},
          .initial = 0};
}
inline ladder::Tunable threads_tunable() {
  return {
      .name = "threads", .meaning = "threads per block", .values = {32, 64, most_pass_threads}, .initial = most_pass_threads};
}
inline ladder::Tunable steps_tunable(int initial) {
  return {.name = "steps", .meaning = "steps per pass", .values = {2, 3, 4, 6, 8}, .initial = initial};
}
inline ladder::Tunable margin_tunable() {
  return {.name = "margin",
          .meaning =
              "lanes at each end of a strip whose cells another warp stores; raised if the columns need more; 0: as few as "
              "possible",
          .values = {0, 1, 2, 3, 4, 6, 8},
          .initial = 0};
}
inline ladder::Constraint registers_constraint() {
  return {"width * steps <= " + std::to_string(most_waiting) + " (registers)",
          [](const ladder::Tuning& t) { return t.at("width") * t.at("steps") <= most_waiting; }};
}

}  // namespace d2q9r
