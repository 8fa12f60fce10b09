// Voxels: cells with centres inside closed, overlapping, badly oriented and open surfaces.
#include "variants/geometry/voxels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/error.hpp"
#include "tests/unit/geometry/bodies.hpp"

namespace geometry {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::input_error;

/// A grid of n cells along each axis from -`half` to `half`.
Grid centred(int n, double half) {
  const double side = 2 * half / n;
  return {{n, n, n}, {side / 2 - half, side / 2 - half, side / 2 - half}, side};
}

/// Centres at the integers from 0 to n-1.
Grid whole(int n) { return {{n, n, n}, {0, 0, 0}, 1}; }

Voxels voxels(std::string_view text, const Grid& grid) { return voxelise(parsed(text), grid); }

double volume(const Voxels& voxels, const Grid& grid) { return static_cast<double>(voxels.cells) * std::pow(grid.side, 3); }

/// The text with every point transformed by `place`.
template <class Place>
Mesh moved(std::string_view text, Place place) {
  Mesh mesh = parsed(text);
  for (Point& p : mesh.points)
    p = place(p);
  return mesh;
}

TEST(Voxels, OfASphereConvergeToItsVolume) {
  // The volume of the polyhedron with 1280 triangles is 1.1 % smaller than the sphere's.
  const Mesh ball = parsed(sphere);
  double polyhedron = 0;
  for (const auto& [i, j, k] : ball.triangles) {
    const Point &a = ball.points[i], &b = ball.points[j], &c = ball.points[k];
    polyhedron +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  EXPECT_NEAR(polyhedron, 4. / 3 * std::numbers::pi, 0.05);
  for (const int n : {16, 32, 64, 128}) {
    const Grid grid = centred(n, 1.25);
    const Voxels found = voxelise(ball, grid);
    EXPECT_NEAR(volume(found, grid), polyhedron, 10. / n / std::sqrt(n)) << n;
    EXPECT_EQ(found.oriented, 1);
    EXPECT_EQ(found.contested, 0);
  }
  EXPECT_NEAR(volume(voxelise(ball, centred(128, 1.25)), centred(128, 1.25)), 4. / 3 * std::numbers::pi, 0.05);
}

TEST(Voxels, OfATorusLeaveItsHoleFree) {
  const Grid grid = centred(100, 1.5);
  const Mesh ring = parsed(torus(1, 0.35, 90));
  const Voxels found = voxelise(ring, grid);
  EXPECT_NEAR(volume(found, grid), 2 * std::numbers::pi * std::numbers::pi * 0.35 * 0.35, 0.02);
  for (int z = 0; z < 100; ++z)
    EXPECT_EQ(found.inside[(z * 100 + 50) * 100 + 50], 0);
}

TEST(Voxels, WhoseCentresLieOnFacesEdgesAndPointsAreInsideAtTheLowerEnds) {
  const Voxels found = voxels(box({1, 2, 3}, {4, 6, 8}), whole(10));
  EXPECT_EQ(found.cells, 3 * 4 * 5);
  for (int n = 0; n < 1000; ++n)
    EXPECT_EQ(found.inside[n], n % 10 >= 1 && n % 10 < 4 && n / 10 % 10 >= 2 && n / 10 % 10 < 6 && n / 100 >= 3 && n / 100 < 8);
  // The same, with sides that have no exact binary representation.
  EXPECT_EQ(voxelise(parsed(box({0.1, 0.2, 0.3}, {0.4, 0.6, 0.8})), {{10, 10, 10}, {0, 0, 0}, 0.1}).inside, found.inside);
}

TEST(Voxels, OfBodiesThatTouchAreEachInOneOfThem) {
  // A cube cut into six tetrahedra around a diagonal, with faces that pass through the centres of cells.
  constexpr std::array<std::array<int, 3>, 6> orders = {{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  std::vector<int> owners(1000, 0);
  for (const auto& order : orders) {
    std::array<Point, 4> p = {Point{1, 1, 1}};
    for (int n = 0; n < 3; ++n) {
      p[n + 1] = p[n];
      p[n + 1][order[n]] += 7;
    }
    std::string text;
    for (const Point& q : p)
      text += fmt::format("v {} {} {}\n", q[0], q[1], q[2]);
    const Voxels found = voxels(text + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", whole(10));
    EXPECT_EQ(found.oriented, 1);
    for (int n = 0; n < 1000; ++n)
      owners[n] += found.inside[n];
  }
  const Voxels all = voxels(box({1, 1, 1}, {8, 8, 8}), whole(10));
  for (int n = 0; n < 1000; ++n)
    EXPECT_EQ(owners[n], all.inside[n]);
}

TEST(Voxels, OfACubeInManyDirectionsAreThoseNearerThanItsFaces) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int turn = 0; turn < 20; ++turn) {
    // Three orthogonal unit vectors.
    std::array<Point, 3> axis;
    for (std::size_t i = 0; i < 3; ++i) {
      axis[i] = {normal(random), normal(random), normal(random)};
      for (std::size_t j = 0; j < i; ++j) {
        const double along = axis[i][0] * axis[j][0] + axis[i][1] * axis[j][1] + axis[i][2] * axis[j][2];
        for (std::size_t a = 0; a < 3; ++a)
          axis[i][a] -= along * axis[j][a];
      }
      const double norm = std::hypot(axis[i][0], axis[i][1], axis[i][2]);
      for (double& c : axis[i])
        c /= norm;
    }
    const Mesh mesh = moved(box({-7, -7, -7}, {7, 7, 7}), [&](const Point& p) {
      Point q{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t a = 0; a < 3; ++a)
          q[a] += p[i] * axis[i][a];
      return q;
    });
    const Grid grid = {{31, 31, 31}, {-15, -15, -15}, 1};
    const Voxels found = voxelise(mesh, grid);
    for (int n = 0; n < 31 * 31 * 31; ++n) {
      const Point p = {n % 31 - 15., n / 31 % 31 - 15., n / 961 - 15.};
      double reach = 0;
      for (const Point& a : axis)
        reach = std::max(reach, std::abs(p[0] * a[0] + p[1] * a[1] + p[2] * a[2]));
      if (std::abs(reach - 7) > 1e-4) {
        EXPECT_EQ(found.inside[n], reach < 7) << turn << ' ' << n;
      }
    }
  }
}

TEST(Voxels, OfOverlappingBodiesAreTheirUnion) {
  const std::string first = box({1, 1, 1}, {6, 6, 6}), second = box({4, 4, 4}, {9, 9, 9});
  EXPECT_EQ(voxels(first + second, whole(10)).cells, 125 + 125 - 8);
  EXPECT_EQ(voxels(first + first + second, whole(10)).cells, 125 + 125 - 8);
  EXPECT_EQ(voxels(box({1, 1, 1}, {6, 6, 6}, true), whole(10)).cells, 125) << "a body that is turned inside out is a body";
  const Voxels mirrored = voxels(box({0, 0, 0}, {6, 6, 6}, true) + second, whole(10));
  EXPECT_EQ(mirrored.cells, 216 + 125 - 8) << "even where it overlaps one that is not";
  EXPECT_EQ(mirrored.turned, 1);
  EXPECT_TRUE(
      contains(mirrored.text(), "2 closed parts decided by winding number, 1 of them turned around to be like the largest"));
  const std::string shell = first + box({2, 2, 2}, {4, 4, 4}, true);
  EXPECT_EQ(voxels(shell, whole(10)).cells, 125 - 8) << "inside a body, it is a cavity";
  EXPECT_EQ(voxels(box({1, 1, 1}, {6, 6, 6}, true) + box({2, 2, 2}, {4, 4, 4}), whole(10)).cells, 125 - 8);
}

TEST(Voxels, OfBadlyOrientedBodiesAreDecidedByParityForEachBody) {
  const std::string first = with_face_turned(box({1, 1, 1}, {6, 6, 6}), 2),
                    second = with_face_turned(box({4, 4, 4}, {9, 9, 9}), 0);
  const Voxels found = voxels(first + second + box({0, 0, 0}, {1, 1, 1}), whole(10));
  EXPECT_EQ(found.cells, 125 + 125 - 8 + 1);
  EXPECT_EQ(found.mixed, 2);
  EXPECT_EQ(found.oriented, 1);
  EXPECT_EQ(found.text(),
            "243 cells inside; 1 closed part decided by winding number; 2 closed parts with faces of both orientations decided "
            "by parity");
}

TEST(Voxels, OfABodyWithAHoleAreThoseOfTheVote) {
  const Voxels found = voxels(without_face(box({1, 2, 3}, {4, 6, 8}), 4), whole(10));
  EXPECT_EQ(found.inside, voxels(box({1, 2, 3}, {4, 6, 8}), whole(10)).inside);
  EXPECT_EQ(found.open, 1);
  EXPECT_EQ(found.contested, 3 * 4 * 10) << "rays along z see one face, in 3 x 4 rows of 10 cells";
  EXPECT_TRUE(contains(found.text(), "1 open part decided by the majority of six rays, which disagree about 120 cells"));

  const Grid grid = centred(40, 1.25);
  const Voxels closed = voxels(sphere, grid);
  std::string text(sphere);
  for (int n = 0; n < 8; ++n)
    text = without_face(text, 100);
  const Voxels holed = voxels(text, grid);
  const Mesh ball = parsed(sphere);
  Point lower = {9, 9, 9}, upper = {-9, -9, -9};  // of the hole
  for (std::size_t t = 100; t < 108; ++t)
    for (const int p : ball.triangles[t])
      for (std::size_t a = 0; a < 3; ++a) {
        lower[a] = std::min(lower[a], ball.points[p][a]);
        upper[a] = std::max(upper[a], ball.points[p][a]);
      }
  int different = 0;
  for (int n = 0; n < 64000; ++n)
    if (holed.inside[n] != closed.inside[n]) {
      ++different;
      const std::array<int, 3> at = {n % 40, n / 40 % 40, n / 1600};
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_GT(grid.first[a] + at[a] * grid.side, lower[a]) << "the vote can be wrong in the cap that the hole cuts off";
        EXPECT_LT(grid.first[a] + at[a] * grid.side, upper[a]);
      }
    }
  EXPECT_LT(different, 10);
  EXPECT_GT(holed.contested, 0);
  EXPECT_LT(holed.contested, 64000 / 10);

  const Voxels both = voxels(without_face(box({1, 1, 1}, {4, 4, 4}), 0) + box({3, 3, 3}, {7, 7, 7}), whole(10));
  EXPECT_EQ(both.cells, 27 + 64 - 1) << "open and closed parts are united";
}

TEST(Voxels, OfASheetAreNone) {
  const Voxels found = voxels("v 0 0 0.5\nv 9 0 0.5\nv 9 9 0.5\nv 0 9 0.5\nf 1 2 3 4\n", whole(10));
  EXPECT_EQ(found.cells, 0);
  EXPECT_EQ(found.without_cells, 1);
}

TEST(Voxels, OfHalfABoxAreNoneAsThreeRaysOfSixAreNoMajority) {
  std::string text = box({1, 1, 1}, {8, 8, 8});
  for (const std::size_t face : {5, 3, 1})
    text = without_face(text, face);
  const Voxels found = voxels(text, whole(10));
  EXPECT_EQ(found.open, 1);
  EXPECT_EQ(found.cells, 0);
  EXPECT_EQ(voxels(without_face(without_face(box({1, 1, 1}, {8, 8, 8}), 5), 3), whole(10)).cells, 7 * 7 * 7);
}

TEST(Voxels, MayMissThinAndSmallParts) {
  const Voxels found = voxels(box({1, 1, 1}, {4, 4, 4}) + box({0.3, 0, 0}, {0.7, 9, 9}) + box({20, 0, 0}, {30, 5, 5}) +
                                  with_face_turned(box({0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}), 0),
                              whole(10));
  EXPECT_EQ(found.cells, 27);
  EXPECT_EQ(found.without_cells, 3);
  EXPECT_TRUE(contains(found.text(), "3 parts contain no centre of a cell"));
}

TEST(Voxels, AreCutAtTheEndsOfTheGrid) {
  EXPECT_EQ(voxels(box({-5, -5, -5}, {3, 3, 3}), whole(10)).cells, 27);
  EXPECT_EQ(voxels(box({-5, -5, -5}, {30, 30, 30}), whole(10)).cells, 1000);
  EXPECT_EQ(voxels(without_face(box({-5, -5, -5}, {30, 30, 30}), 0), whole(10)).cells, 1000);
}

TEST(Voxels, DoNotDependOnUnits) {
  const Voxels expected = voxels(torus(8, 3, 20), {{25, 24, 23}, {-12, -12, -11}, 1});
  for (const double scale : {0x1p-600, 1e-12, 0x1p-20, 1e3, 0x1p80})
    EXPECT_EQ(voxelise(moved(torus(8, 3, 20),
                             [&](const Point& p) {
                               return Point{p[0] * scale, p[1] * scale, p[2] * scale};
                             }),
                       {{25, 24, 23}, {-12 * scale, -12 * scale, -11 * scale}, scale})
                  .inside,
              expected.inside)
        << scale;
}

TEST(Voxels, OfASedanFillItsVolume) {
  const double side = 0.03;
  const Grid grid = {{152, 64, 50}, {-0.01, -0.95, -0.013}, side};
  const Voxels found = voxels(sedan, grid);
  EXPECT_EQ(found.oriented, 5);
  EXPECT_EQ(found.turned, 0);
  EXPECT_EQ(found.without_cells, 0);
  double parts = 0;
  const Mesh car = parsed(sedan);
  for (const auto& [i, j, k] : car.triangles) {
    const Point &a = car.points[i], &b = car.points[j], &c = car.points[k];
    parts += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  const double wheel = std::numbers::pi * 0.32 * 0.32 * 0.22;
  EXPECT_LT(volume(found, grid), parts) << "wheels overlap the body";
  EXPECT_GT(volume(found, grid), parts - 4 * wheel);
}

TEST(Voxels, NeedAGridThatFits) {
  const Mesh mesh = parsed(box({0, 0, 0}, {1, 1, 1}));
  const auto error = [&](const Grid& grid) { return input_error([&] { voxelise(mesh, grid); }); };
  EXPECT_TRUE(contains(error({{0, 1, 1}, {}, 1}), "a grid of 0 x 1 x 1 cells; accepted: at least one each"));
  for (const double side : {0., -1., std::nan(""), HUGE_VAL})
    EXPECT_TRUE(contains(error({{4, 4, 4}, {}, side}), "the side of a cell is "));
  EXPECT_TRUE(
      contains(error({{4, 4, 4}, {}, 1e-9}), "the body reaches 1e+09 cells from cell (0,0,0); accepted: up to 1048576"));
  EXPECT_TRUE(contains(error({{4, 4, 4}, {1e30, 0, 0}, 1}), "the body reaches 1e+30 cells"));
  EXPECT_TRUE(contains(error({{1 << 20, 1 << 20, 1 << 20}, {}, 1}), "a grid of 1048576 x 1048576 x 1048576 cells"));
}

}  // namespace
}  // namespace geometry
