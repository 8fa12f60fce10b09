// The lattice has no preferred position or direction: a transformed initial state gives the transformed flow.
#include <gtest/gtest.h>

#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

using namespace test;

constexpr int n = 21;
constexpr int steps = 60;
/// Sums are computed in another order, so the last bits differ.
constexpr double rounding = 1e-14;

struct Vector {
  int x, y;
};

/// A symmetry of the periodic square lattice, given by its effect on positions and velocities.
struct Symmetry {
  const char* name;
  Vector (*place)(int x, int y);
  Vector (*velocity)(int x, int y);
};

constexpr Symmetry symmetries[] = {
    {"MirrorInX",
     [](int x, int y) {
       return Vector{n - 1 - x, y};
     },
     [](int x, int y) {
       return Vector{-x, y};
     }},
    {"MirrorInY",
     [](int x, int y) {
       return Vector{x, n - 1 - y};
     },
     [](int x, int y) {
       return Vector{x, -y};
     }},
    {"MirrorInTheDiagonal",
     [](int x, int y) {
       return Vector{y, x};
     },
     [](int x, int y) {
       return Vector{y, x};
     }},
    {"RotationByAQuarter",
     [](int x, int y) {
       return Vector{n - 1 - y, x};
     },
     [](int x, int y) {
       return Vector{-y, x};
     }},
    {"RotationByAHalf",
     [](int x, int y) {
       return Vector{n - 1 - x, n - 1 - y};
     },
     [](int x, int y) {
       return Vector{-x, -y};
     }},
    {"TranslationInX",
     [](int x, int y) {
       return Vector{(x + 5) % n, y};
     },
     [](int x, int y) {
       return Vector{x, y};
     }},
    {"TranslationInY",
     [](int x, int y) {
       return Vector{x, (y + 8) % n};
     },
     [](int x, int y) {
       return Vector{x, y};
     }},
};

int direction(Vector velocity) {
  for (int i = 0; i < q; ++i)
    if (d2q9_cx[i] == velocity.x && d2q9_cy[i] == velocity.y) return i;
  ADD_FAILURE() << "no such direction";
  return 0;
}

int transformed(const Symmetry& s, int i) { return direction(s.velocity(d2q9_cx[i], d2q9_cy[i])); }

Case transformed(const Symmetry& s, const Case& c) {
  Case out = c;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const Vector to = s.place(x, y);
      out.solid[static_cast<std::size_t>(to.y) * n + to.x] = is_solid(c, x, y) ? 1 : 0;
    }
  return out;
}

void set_transformed(const Symmetry& s, Reference& from, Reference& to) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const Vector place = s.place(x, y);
      for (int i = 0; i < q; ++i)
        to.cell(place.x, place.y)[transformed(s, i)] = from.cell(x, y)[i];
    }
}

void expect_transformed(const Symmetry& s, Reference& from, Reference& to) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const Vector place = s.place(x, y);
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(to.cell(place.x, place.y)[transformed(s, i)], from.cell(x, y)[i], rounding)
            << s.name << ": population " << i << " of (" << x << ", " << y << ")";
    }
}

class SymmetryOf : public testing::TestWithParam<Symmetry> {};

TEST_P(SymmetryOf, TheFlowAmongObstacles) {
  const Symmetry& s = GetParam();
  Case c = Model::seeded(Model::make_case("porous-21"));
  c.accel = 0;
  Reference flow(c);
  Reference image(transformed(s, c));
  set_transformed(s, flow, image);
  flow.advance(steps);
  image.advance(steps);
  expect_transformed(s, flow, image);
}

INSTANTIATE_TEST_SUITE_P(Lattice, SymmetryOf, testing::ValuesIn(symmetries),
                         [](const auto& symmetry) { return std::string(symmetry.param.name); });

TEST(DrivenFlow, IsTheSameWhereverItIsDriven) {
  const Symmetry& translation = symmetries[6];
  const Case c = Model::seeded(Model::make_case("porous-21"));
  Reference flow(c);
  Reference image(transformed(translation, c));
  set_transformed(translation, flow, image);
  for (int k = 0; k < steps; ++k) {
    step(flow, {4});
    step(image, {12});
  }
  expect_transformed(translation, flow, image);
}

TEST(DrivenFlow, HasItsMirrorImageWhereTheMirroredRowIsDriven) {
  const Symmetry& mirror = symmetries[1];
  const Case c = Model::seeded(Model::make_case("porous-21"));
  Reference flow(c);
  Reference image(transformed(mirror, c));
  set_transformed(mirror, flow, image);
  for (int k = 0; k < steps; ++k) {
    step(flow, {4});
    step(image, {n - 1 - 4});
  }
  expect_transformed(mirror, flow, image);
}

TEST(DrivenFlow, StaysSymmetricInABoxDrivenAlongItsMiddle) {
  const Case c = Model::make_case("box-21");
  Reference flow(c);
  for (int k = 0; k < 500; ++k)
    step(flow, {n / 2});
  EXPECT_GT(flow.average_speed(), 1e-4);
  expect_transformed(symmetries[1], flow, flow);
}

TEST(DrivenFlow, StaysUniformAlongAnOpenRow) {
  Case c = open_case(n, n, 1.5);
  c.accel = 0.001;
  Reference flow(c);
  flow.advance(200);
  EXPECT_GT(flow.average_speed(), 1e-3);
  for (int y = 0; y < n; ++y)
    for (int x = 1; x < n; ++x)
      for (int i = 0; i < q; ++i)
        ASSERT_EQ(flow.cell(x, y)[i], flow.cell(0, y)[i]) << "(" << x << ", " << y << ")";
}

}  // namespace
}  // namespace d2q9
