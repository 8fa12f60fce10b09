// Meshes: how OBJ files are read, which defects are repaired, and which files are refused.
#include "variants/geometry/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/unit/geometry/bodies.hpp"

namespace geometry {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::Folder;
using ladder::test::input_error;

const std::string cube = box({0, 0, 0}, {1, 1, 1});

/// Six times the volume that the triangles enclose.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Point &a = mesh.points[i], &b = mesh.points[j], &c = mesh.points[k];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

std::string error(std::string_view text) {
  return input_error([&] { parsed(text); });
}

TEST(AMesh, OfACubeHasTwoTrianglesForEachQuad) {
  const Mesh mesh = parsed(cube);
  EXPECT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.report.points, 8);
  EXPECT_EQ(mesh.report.faces, 6);
  EXPECT_TRUE(mesh.report.closed());
  EXPECT_EQ(mesh.parts, std::vector{Closure::oriented});
  EXPECT_EQ(mesh.lower, (Point{0, 0, 0}));
  EXPECT_EQ(mesh.upper, (Point{1, 1, 1}));
  EXPECT_DOUBLE_EQ(volume(mesh), 1);
  EXPECT_EQ(mesh.text(), "12 triangles in a closed surface");
}

TEST(AMesh, MayBeWrittenInManyWays) {
  const Mesh plain = parsed("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (const std::string_view text :
       {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
        " v\t+0 .0 0e5 \nv 1 0 0 1.0\nv 0 1. 0 0.5 0.5 0.5\nf -3 -2 -1",
        "# cube\nmtllib none.mtl\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng b c\nusemtl red\ns off\nf 1/1/1 2/1/1 "
        "3/1/1\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//7 2//7 3//7\nl 1 2\np 1\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/9 2/9 3/9\n",
        "v 0 0 0\nv 1 0 \\\n0\nv 0 1 0\nf 1 2 \\\r\n 3\n"}) {
    const Mesh mesh = parsed(text);
    EXPECT_EQ(mesh.points, plain.points) << text;
    EXPECT_EQ(mesh.triangles, plain.triangles) << text;
  }
}

TEST(AMesh, IsReadFromAFile) {
  const Folder folder;
  EXPECT_EQ(read_mesh(folder.write("body.obj", "\xEF\xBB\xBF" + cube)).triangles.size(), 12u);
  EXPECT_TRUE(contains(input_error([&] { read_mesh(folder.path() / "none.obj"); }),
                       "none.obj: no such file; expected a mesh in OBJ format"));
  EXPECT_TRUE(contains(input_error([&] { read_mesh(folder.path()); }), "is a folder"));
  EXPECT_TRUE(contains(input_error([&] { read_mesh(folder.write("empty.obj", "")); }), "empty.obj: has no faces"));
  EXPECT_TRUE(contains(input_error([] { read_mesh("/dev/zero"); }), "/dev/zero: holds more than 268435456 bytes"));
}

TEST(AMesh, JoinsPointsOfEqualPlaceAndCountsFacesThatHaveNoArea) {
  // Each triangle of the cube has three separate points.
  std::string soup;
  const Mesh mesh = parsed(cube);
  for (const Triangle& t : mesh.triangles) {
    for (const int p : t)
      soup += fmt::format("v {} {} {}\n", mesh.points[p][0], mesh.points[p][1], mesh.points[p][2] == 0 ? "-0" : "1");
    soup += "f -3 -2 -1\n";
  }
  const Mesh joined = parsed(soup + "f 1 1 2\nf 1 2 3 3\nv 0.5 0 0\nv 1 0 0\nv 0 0 0\nf -1 -2 -3\n");
  EXPECT_EQ(joined.points.size(), 8u);
  EXPECT_EQ(joined.triangles, mesh.triangles);
  EXPECT_EQ(joined.report.merged, 36 + 2 - 8);
  EXPECT_EQ(joined.report.degenerate, 3);
  EXPECT_EQ(joined.report.duplicated, 1);
  EXPECT_TRUE(joined.report.closed());
}

TEST(AMesh, KeepsATriangleWithoutAreaThatClosesAGap) {
  // A tetrahedron with an edge that is split on one side only.
  const Mesh mesh =
      parsed("v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nv 1 0 0\nf 1 3 5\nf 5 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 5 2\n");
  EXPECT_TRUE(mesh.report.closed());
  EXPECT_EQ(mesh.report.degenerate, 0);
  EXPECT_EQ(mesh.triangles.size(), 6u);
}

TEST(AMesh, LosesAllTrianglesWithoutAreaThatCloseNoGap) {
  // Triangles along a line, each of which opens the edges of the others.
  std::string strip = "v 0 0 0\nv 1 0 0\nv 2 0 0\n";
  for (int n = 3; n < 100; ++n)
    strip = fmt::format("{}v {} 0 0\nf -1 -2 -3\n", strip, n);
  const Mesh mesh = parsed(strip + "v 0 1 0\nf 1 2 -1\n");
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.report.degenerate, 97);
}

TEST(AMesh, LosesManyTrianglesWithoutAreaAtOneEdgeInTimeAndMemoryProportionalToThem) {
  std::vector<Point> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  std::vector<Triangle> triangles = {{0, 1, 2}};
  for (int n = 0; n < 300'000; ++n) {
    triangles.push_back({0, 1, static_cast<int>(points.size())});
    points.push_back({2. + n, 0, 0});
  }
  const Mesh mesh = make_mesh("fan", points, triangles);
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.report.degenerate, 300'000);
}

TEST(AMesh, HasEachTriangleOnce) {
  const std::vector<std::string> faces = faces_of(cube);
  std::string twice = cube;
  for (const std::string& face : faces)
    twice += face;
  EXPECT_EQ(parsed(twice).triangles, parsed(cube).triangles);
  EXPECT_EQ(parsed(twice).report.duplicated, 12);

  const Mesh of_both_sides = parsed(
      "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
      "f 1 2 3\nf 4 2 1\nf 3 4 1\nf 4 3 2\n");
  EXPECT_EQ(of_both_sides.triangles.size(), 4u);
  EXPECT_EQ(of_both_sides.parts, std::vector{Closure::oriented});
  EXPECT_NEAR(std::abs(volume(of_both_sides)), 8. / 6, 1e-12);
}

TEST(AMesh, LosesTheWallBetweenTwoBodies) {
  const Mesh mesh = parsed(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
      "f 1 2 3\nf 1 5 2\nf 1 3 5\nf 2 5 3\n");
  EXPECT_EQ(mesh.report.duplicated, 2);
  EXPECT_EQ(mesh.triangles.size(), 6u);
  EXPECT_EQ(mesh.parts, std::vector{Closure::oriented});
}

TEST(AMesh, TellsOfHolesAndOfFacesThatAreTurned) {
  const Mesh open = parsed(without_face(without_face(cube, 1), 0));
  EXPECT_FALSE(open.report.closed());
  EXPECT_EQ(open.report.open_edges, 8);
  EXPECT_EQ(open.report.holes, 2);
  EXPECT_EQ(open.parts, std::vector{Closure::open});
  EXPECT_EQ(open.text(), "8 triangles in an open surface; 8 edges with an odd number of triangles (2 borders)");

  const Mesh turned = parsed(with_face_turned(cube, 3));
  EXPECT_TRUE(turned.report.closed());
  EXPECT_EQ(turned.report.mixed_edges, 4);
  EXPECT_EQ(turned.parts, std::vector{Closure::mixed});
}

TEST(AMesh, CountsEdgesOfMoreThanTwoTriangles) {
  const Mesh mesh = parsed(cube + box({1, 1, 0}, {2, 2, 1}));
  EXPECT_EQ(mesh.report.non_manifold_edges, 1);
  EXPECT_EQ(mesh.parts, std::vector{Closure::oriented}) << "bodies that touch along an edge are one part";
  EXPECT_EQ(parsed(cube + box({1, 1, 1}, {2, 2, 2})).parts.size(), 2u) << "but not along a point";
}

TEST(AMesh, MayHaveAnyUnits) {
  for (const double scale : {1e-200, 1e-30, 1e-12, 1e12, 1e30}) {
    const Mesh mesh = parsed(box({0, 0, 0}, {scale, scale, scale}));
    EXPECT_EQ(mesh.triangles.size(), 12u) << scale;
    EXPECT_EQ(mesh.upper[2], scale);
  }
}

TEST(AMesh, MayHavePolygonsOfManyCorners) {
  std::string prism;
  for (const int z : {0, 1})
    for (int i = 0; i < 300; ++i)
      prism += fmt::format("v {} {} {}\n", std::cos(i * std::numbers::pi / 150), std::sin(i * std::numbers::pi / 150), z);
  std::string bottom = "f", top = "f";
  for (int i = 0; i < 300; ++i) {
    bottom += fmt::format(" {}", 300 - i);
    top += fmt::format(" {}", 301 + i);
    prism += fmt::format("f {} {} {} {}\n", 1 + i, 1 + (i + 1) % 300, 301 + (i + 1) % 300, 301 + i);
  }
  const Mesh mesh = parsed(prism + bottom + "\n" + top + "\n");
  EXPECT_EQ(mesh.parts, std::vector{Closure::oriented});
  EXPECT_NEAR(volume(mesh), 150 * std::sin(std::numbers::pi / 150), 1e-12);
}

TEST(AMesh, NamesTheLineAndTheValueThatAreWrong) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const std::string_view word : {"nan", "inf", "-inf", "1e300", "-1.1e30", "one", "1x", "0,5", "--1", "1e400"})
    EXPECT_TRUE(contains(error(fmt::format("# a body\nv 0 {} 0\n", word)),
                         fmt::format("body.obj:2: y is '{}'; accepted: a number from -1e+30 to 1e+30", word)));
  EXPECT_TRUE(contains(error("v 0 0\n"), "body.obj:1: z is ''"));
  EXPECT_TRUE(contains(error(points + "\r\nf 1 2 4\n"),
                       "body.obj:5: a point of the face is '4'; accepted: 1 to 3, or -3 to -1, as 3 points precede it"));
  for (const std::string_view word : {"0", "-4", "4294967297", "99999999999999999999", "1.5", "x", "1x", "/1", "+1"})
    EXPECT_TRUE(contains(error(fmt::format("{}f {} 2 3\n", points, word)),
                         fmt::format("body.obj:4: a point of the face is '{}'", word)));
  EXPECT_TRUE(contains(error("f 1 2 3\n" + points),
                       "body.obj:1: a point of the face is '1'; no point precedes it; accepted: points ('v X Y Z') before"));
  EXPECT_TRUE(contains(error("v 0 0 0\nf 1 2 3\n"),
                       "body.obj:2: a point of the face is '2'; accepted: 1 to 1, or -1 to -1, as 1 point precedes it"));
  EXPECT_TRUE(contains(error(points + "f 1\n"), "body.obj:4: the face has 1 point; accepted: at least 3"));
  EXPECT_TRUE(contains(error(points + "f 1 2\n"), "body.obj:4: the face has 2 points; accepted: at least 3"));
  EXPECT_TRUE(contains(error(points + "f 1/2/3/4 2 3\n"), "body.obj:4: "));
  EXPECT_TRUE(contains(error(points + "v 1 \\\n\\\nx 0\n"), "body.obj:4: y is 'x'"));
  EXPECT_TRUE(contains(error(points), "body.obj: has no faces; accepted: an OBJ file"));
  EXPECT_TRUE(contains(error(points + "f 1 1 2\n"), "body.obj: none of its 1 triangles has an area"));
  EXPECT_TRUE(contains(error("v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n"), "body.obj: none of its 1 triangles has an area"));
  EXPECT_LT(error("v " + std::string(100'000, '1') + "x 0 0\n").size(), 300u);
}

TEST(ShippedMeshes, AreClosedAndOriented) {
  const Mesh car = parsed(sedan);
  EXPECT_EQ(car.parts, std::vector(5, Closure::oriented)) << car.text();
  const Mesh ball = parsed(sphere);
  EXPECT_EQ(ball.parts, std::vector{Closure::oriented}) << ball.text();
  for (const Mesh* mesh : {&car, &ball}) {
    EXPECT_GT(volume(*mesh), 0) << "triangles are numbered counterclockwise, seen from outside";
    EXPECT_EQ(mesh->report.non_manifold_edges + mesh->report.degenerate + mesh->report.duplicated + mesh->report.merged, 0);
    EXPECT_LE(mesh->triangles.size(), 2000u);
  }
  EXPECT_NEAR(car.lower[0], 0, 1e-9);
  EXPECT_NEAR(car.upper[0], 4.5, 1e-9);
  EXPECT_NEAR(car.upper[1], 0.9, 0.01);
  EXPECT_NEAR(car.upper[2], 1.42, 0.01);
  EXPECT_NEAR(car.lower[2], 0, 1e-9);
  for (const Point& p : ball.points)
    EXPECT_NEAR(std::hypot(p[0], p[1], p[2]), 1, 2e-6);
}

}  // namespace
}  // namespace geometry
