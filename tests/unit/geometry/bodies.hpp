#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "variants/geometry/mesh.hpp"

namespace geometry::test {

/// The OBJ text of a box from `lower` to `upper`. Its faces are quads with corners indexed relative to the last point.
inline std::string box(const Point& lower, const Point& upper, bool inwards = false) {
  std::string text = "o box\n";
  for (int n = 0; n < 8; ++n)
    text += fmt::format("v {} {} {}\n", n & 1 ? upper[0] : lower[0], n & 2 ? upper[1] : lower[1], n & 4 ? upper[2] : lower[2]);
  constexpr std::array<std::array<int, 4>, 6> faces = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& [a, b, c, d] : faces)
    text += inwards ? fmt::format("f {} {} {} {}\n", d - 8, c - 8, b - 8, a - 8)
                    : fmt::format("f {} {} {} {}\n", a - 8, b - 8, c - 8, d - 8);
  return text;
}

inline Mesh parsed(std::string_view text) { return parse_mesh("body.obj", text); }

/// The lines of a text that start with `f`, in order.
inline std::vector<std::string> faces_of(std::string_view text) {
  std::vector<std::string> faces;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n') + 1, text.size());
    if (text.starts_with("f ")) faces.emplace_back(text.substr(0, end));
  }
  return faces;
}

/// `text` without its n-th face.
inline std::string without_face(std::string text, std::size_t n) {
  const std::string face = faces_of(text)[n];
  return text.erase(text.find(face), face.size());
}

/// `text` with the orientation of its n-th face reversed.
inline std::string with_face_turned(std::string text, std::size_t n) {
  const std::string face = faces_of(text)[n];
  int a = 0, b = 0, c = 0, d = 0;
  const int corners = std::sscanf(face.c_str(), "f %d %d %d %d", &a, &b, &c, &d);
  return text.replace(text.find(face), face.size(),
                      corners == 4 ? fmt::format("f {} {} {} {}\n", d, c, b, a) : fmt::format("f {} {} {}\n", c, b, a));
}

/// A torus around the z axis, made of `n` x `n` quads.
inline std::string torus(double radius, double tube, int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double a = 2 * std::numbers::pi * i / n, b = 2 * std::numbers::pi * j / n, r = radius + tube * std::cos(b);
      text += fmt::format("v {} {} {}\n", r * std::cos(a), r * std::sin(a), tube * std::sin(b));
    }
  const auto point = [&](int i, int j) { return 1 + (i % n) * n + j % n; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      text += fmt::format("f {} {} {} {}\n", point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
  return text;
}

}  // namespace geometry::test
