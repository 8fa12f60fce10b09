#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "variants/d2q9/model.hpp"

/// How the warps of a pass share the lattice, and the tunables that control it.
namespace d2q9 {

/// Maximum threads per block. Kept small so that each thread can use all the registers that it needs.
constexpr int most_pass_threads = 128;

/// The shape of a pass.
struct PassShape {
  int steps = 1;
  int width = 1;      ///< columns per lane
  int margin = 1;     ///< lanes by which strips overlap at each end
  int rows = 64;      ///< per segment
  int threads = 128;  ///< per block
  int waves = 1;      ///< how many times all multiprocessors are filled, if `rows` is 0
  int shared = -1;    ///< percentage of the combined shared memory and L1 cache used as shared memory; -1 leaves it to CUDA

  /// Returns the tuned shape; values that are not tunable keep the defaults above. `width` is 1 if it does not divide the rows.
  template <class real>
  static PassShape tuned(const Case& c, const ladder::Tuning& tuning, int steps = 1) {
    const auto value = [&](const char* name, int otherwise) { return tuning.count(name) > 0 ? tuning.at(name) : otherwise; };
    PassShape shape;
    shape.steps = value("steps", steps);
    shape.width = std::min(value("width", shape.width), static_cast<int>(16 / sizeof(real)));
    if (c.nx % shape.width != 0) shape.width = 1;
    shape.margin = std::max(value("margin", 0), (shape.steps + shape.width - 1) / shape.width);
    shape.rows = value("rows", shape.rows);
    shape.threads = value("threads", shape.threads);
    shape.waves = value("waves", shape.waves);
    shape.shared = value("shared", shape.shared);
    return shape;
  }

  /// Returns this shape with `rows` filled in, if `resident` warps run at once. A segment has at least four rows for each row
  /// that a warp computes beyond it: shorter ones cost more than the additional warps gain.
  [[nodiscard]] PassShape filled(const Case& c, int resident) const {
    PassShape shape = *this;
    if (rows > 0) return shape;
    const int segments = std::max(waves * resident / strips(c), 1);
    shape.rows = std::max({(c.ny + segments - 1) / segments, 4 * (steps - 1), 1});
    return shape;
  }

  [[nodiscard]] int columns() const { return (32 - 2 * margin) * width; }
  [[nodiscard]] int strips(const Case& c) const { return (c.nx + columns() - 1) / columns(); }
  [[nodiscard]] int segments(const Case& c) const { return (c.ny + rows - 1) / rows; }
  [[nodiscard]] int warps(const Case& c) const { return strips(c) * segments(c); }

  /// Returns the DRAM traffic of an update. Each cell of a strip and a segment is read once per pass, including the overlaps
  /// and `ahead` rows after each segment, and each cell of the lattice is written once.
  [[nodiscard]] std::vector<ladder::Traffic> traffic(double real, const Case& c, int ahead) const {
    const double columns_read = 32.0 * width * strips(c) / c.nx;
    const double rows_read = 1 + (2.0 * (steps - 1) + ahead) * segments(c) / c.ny;
    return {{(9 * real + 1) * columns_read * rows_read / steps, 9 * real / steps}};
  }
};

/// The tunables for the shape.
inline ladder::Tunable rows_tunable(int initial) {
  return {.name = "rows",
          .meaning = "rows per segment, through which a warp marches",
          .values = {4, 8, 16, 32, 64, 128, 256},
          .initial = initial};
}
/// Same as above, but `waves` may decide.
inline ladder::Tunable rows_or_waves_tunable() {
  return {.name = "rows",
          .meaning = "rows per segment, through which a warp marches; 0: derived from `waves`",
          .values = {0, 4, 8, 10, 13, 16, 20, 24, 32, 40, 64, 128},
          .initial = 0};
}
inline ladder::Tunable waves_tunable() {
  return {.name = "waves",
          .meaning =
              "number of times all multiprocessors are filled with warps, if `rows` is 0 and segments do not become too short",
          .values = {1, 2, 3, 4},
          .initial = 2};
}
inline ladder::Tunable shared_tunable() {
  return {.name = "shared",
          .meaning = "percentage of the memory for shared memory and L1 cache that is used as shared memory; -1: CUDA's choice",
          .values = {-1, 58, 72, 86, 100},
          .initial = -1};
}
inline ladder::Tunable threads_tunable() {
  return {
      .name = "threads", .meaning = "threads per block", .values = {32, 64, most_pass_threads}, .initial = most_pass_threads};
}
inline ladder::Tunable steps_tunable(int initial) {
  return {.name = "steps", .meaning = "steps per pass", .values = {2, 3, 4, 5, 6, 8}, .initial = initial};
}
inline ladder::Tunable margin_tunable() {
  return {.name = "margin",
          .meaning =
              "lanes at each end of a strip whose cells another warp stores; raised if the columns need more; 0: as "
              "few as possible",
          .values = {0, 1, 2, 3, 4, 5, 6, 7, 8},
          .initial = 0};
}
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "columns per lane, at most 16 bytes per direction; 1 if the row length is not a multiple of it",
          .values = {1, 2, 4},
          .initial = 2};
}
/// Limit on columns per lane times stages that hold waiting populations, nine per column and stage: more do not fit in the
/// registers.
constexpr int most_waiting = 20;

/// Constraints on shapes. In double precision a lane has at most two columns.
inline ladder::Constraint margin_constraint() {
  return {"margin = 0 or margin * min(width, 2) >= steps (each step invalidates a column at each end of a strip)",
          [](const ladder::Tuning& t) {
            const int width = t.count("width") > 0 ? std::min(t.at("width"), 2) : 1;
            return t.at("margin") == 0 || t.at("margin") * width >= t.at("steps");
          }};
}
inline ladder::Constraint registers_constraint() {
  return {"width * (steps - 1) <= " + std::to_string(most_waiting) + " (registers)",
          [](const ladder::Tuning& t) { return t.at("width") * (t.at("steps") - 1) <= most_waiting; }};
}

}  // namespace d2q9
