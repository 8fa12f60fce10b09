// Cases with bodies from meshes, and the files that a run writes for them.
#include "variants/d3q19/body.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q19/results.hpp"
#include "variants/geometry/mesh.hpp"
#include "variants/lattice/state.hpp"

namespace d3q19 {
namespace {

using ladder::test::contains;
using ladder::test::Folder;
using ladder::test::input_error;

/// The case of a mesh and a parameter file with these contents.
Case read(const Folder& folder, std::string_view mesh, std::string_view parameters = "", std::string_view up = "z") {
  std::array<std::string, 3> files = {folder.write("body.obj", mesh), "", std::string(up)};
  if (!parameters.empty()) files[1] = folder.write("tunnel.params", parameters);
  return Model::read_case(files);
}

std::int64_t count(const Case& c, int kind) { return std::count(c.solid.begin(), c.solid.end(), kind); }

TEST(Body, StandsInAWindTunnelOfWholeBlocks) {
  const Folder folder;
  const Case c = read(folder, geometry::sedan, "20\n8\n0.6\n0.1\n");
  EXPECT_EQ(c.name, "body");
  for (const std::int64_t side : c.grid())
    EXPECT_EQ(side % 8, 0);
  EXPECT_GE(c.nx, 80);
  EXPECT_EQ(c.tau, 0.6);
  EXPECT_EQ(c.speed, 0.1);
  EXPECT_GT(count(c, D3Q19_WALL), 100);
  EXPECT_GT(count(c, D3Q19_INSIDE), 0);
  EXPECT_EQ(count(c, D3Q19_PRESSURE), std::int64_t{c.ny - 2} * (c.nz - 2)) << "the outflow";
  EXPECT_NE(c.kind(c.nx / 3, 1, c.nz / 2), D3Q19_VELOCITY) << "the ground is row 0";
  EXPECT_TRUE(contains(c.note, "1984 triangles"));
}

TEST(Body, IsDescribedWithEverythingThatWasMergedAndRemoved) {
  const Folder folder;
  const std::string tetrahedron = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto note = [&](const std::string& more) { return read(folder, tetrahedron + more, "20\n8\n.6\n.1\n").note; };
  EXPECT_TRUE(contains(note(""), ": 4 triangles in a closed surface\n"));
  EXPECT_TRUE(contains(note("v 2 0 0\n"), ": 4 triangles in a closed surface; 1 repeated point merged\n"));
  EXPECT_TRUE(contains(note("f 1 3 2\n"), ": 4 triangles in a closed surface; 1 duplicated triangle removed\n"));
  EXPECT_TRUE(contains(note("f 1 1 2\n"), ": 4 triangles in a closed surface; 1 degenerate triangle removed\n"));
}

TEST(Body, StandsOnTheAxisThatPointsUp) {
  const Folder folder;
  const auto rotated = [&](auto turn, std::string_view up) {
    std::string text;
    const geometry::Mesh mesh = geometry::parse_mesh("sedan.obj", geometry::sedan);
    for (const geometry::Point& p : mesh.points) {
      const auto [x, y, z] = turn(p);
      text += fmt::format("v {} {} {}\n", x, y, z);
    }
    for (const auto& [a, b, c] : mesh.triangles)
      text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    return read(folder, text, "20\n8\n.6\n.1\n", up);
  };
  using geometry::Point;
  const Case c = rotated([](const Point& p) { return p; }, "z");
  EXPECT_EQ(rotated([](const Point& p) { return Point{p[0], p[2], -p[1]}; }, "y").solid, c.solid);
  EXPECT_EQ(rotated([](const Point& p) { return Point{p[2], p[0], p[1]}; }, "x").solid, c.solid);
}

TEST(Body, IsRefusedIfItIsOpenExceptTowardTheGround) {
  const Folder folder;
  // A box without its face of the smallest y.
  const std::string points = "v 0 0 0\nv 4 0 0\nv 0 2 0\nv 4 2 0\nv 0 0 2\nv 4 0 2\nv 0 2 2\nv 4 2 2\n";
  const std::string sides = "f 1 5 7 3\nf 2 4 8 6\nf 1 3 4 2\nf 5 6 8 7\n";
  const std::string parameters = "20\n8\n.6\n.1\n";
  const std::string open = points + sides + "f 3 7 8 4\n";
  const std::string error = input_error([&] { read(folder, open, parameters); });
  EXPECT_TRUE(contains(error, "body.obj: 0 cells lie in the body for certain, but 6400 are uncertain because it is open "));
  EXPECT_TRUE(contains(error, "(10 triangles in an open surface; 4 edges with an odd number of triangles (1 border)"));
  EXPECT_TRUE(contains(error, "(--up x|y|z names the axis that points up)"));
  const std::string tube = points + sides;
  for (const char* up : {"y", "z"})
    EXPECT_TRUE(contains(input_error([&] { read(folder, tube, parameters, up); }), "0 cells lie in the body for certain"))
        << up;
  const Case standing = read(folder, open, parameters, "y");
  EXPECT_EQ(count(standing, D3Q19_WALL) + count(standing, D3Q19_INSIDE), 2000);
  EXPECT_TRUE(contains(standing.note, "five rays, which disagree about 200 cells")) << "in the ground";
}

TEST(Body, CoversMoreCellsThanASphereOfItsDiameter) {
  EXPECT_EQ(frontal_area(Model::make_case("sphere100-128x100x100")), 80);
  EXPECT_EQ(frontal_area(Model::make_case("sphere100-64x200x200")), 316);
  const Case street = Model::make_case("street-32x16x16");
  EXPECT_EQ(frontal_area(street), street.area);
}

TEST(Body, PrintsDragBasedOnItsAreaAndOnThatOfItsVoxels) {
  const Case c = Model::make_case("sphere20-18x40x40");
  ladder::Populations state;
  lattice::set_initial<Model>(c, {{}, c.grid()}, state);
  const std::string text = Model::summary(c, state, {});
  const double drag = force(c, state)[0];
  for (const double area : {c.area, 12.})
    EXPECT_TRUE(contains(text, fmt::format(": {:.6f}, frontal area {:.1f}\n", 2 * drag / (c.speed * c.speed * area), area)))
        << text;
  const Case car = Model::make_case("car-32x16x16");
  lattice::set_initial<Model>(car, {{}, car.grid()}, state);
  EXPECT_FALSE(contains(Model::summary(car, state, {}), "that the voxels cover")) << "its area is that of the voxels";
}

TEST(Settling, MeansLittleSwingAndAWindThatHasCrossedTheTunnel) {
  Case c = Model::make_case("sphere20-18x40x40");
  c.speed = 0.05;
  c.steps = 18 * 20;
  const auto rows = [](const std::vector<double>& coefficients) {
    std::vector<std::vector<double>> all;
    for (const double value : coefficients)
      all.push_back({0, 0, value, 0});
    return all;
  };
  EXPECT_TRUE(Settling(c, rows({1.004, 0.996, 1})).is_settled());
  EXPECT_NEAR(Settling(c, rows({1.004, 0.996, 1})).swing(), 0.008, 1e-12);
  EXPECT_FALSE(Settling(c, rows({1.006, 0.995, 1})).is_settled());
  EXPECT_FALSE(Settling(c, rows({0.02, -0.02, 0})).is_settled());
  EXPECT_FALSE(Settling(c, rows({NAN, 1, 1})).is_settled());
  EXPECT_FALSE(Settling(c, {}).is_settled());
  --c.steps;
  const Settling brief(c, rows({1, 1}));
  EXPECT_FALSE(brief.is_settled());
  ladder::Populations state;
  lattice::set_initial<Model>(c, {{}, c.grid()}, state);
  EXPECT_TRUE(contains(summary(c, state, rows({1, 1}), 0), "the wind has crossed 99.7 % of the tunnel's length"));
  EXPECT_TRUE(contains(summary(c, state, rows({1, 2}), 0), "varied from 1.000000 to 2.000000 over the last quarter"));
  EXPECT_TRUE(contains(summary(c, state, rows({0, 0}), 0), "varied from 0.000000 to 0.000000 over the last quarter"));
}

TEST(Body, HasParametersOfItsOwnUnlessAFileHasThem) {
  const Folder folder;
  EXPECT_EQ(read(folder, geometry::sphere).length, 64);
}

TEST(Body, IsRefusedWithFileLineValueAndWhatIsAccepted) {
  const Folder folder;
  const auto error = [&](std::string_view mesh, std::string_view parameters) {
    return input_error([&] { read(folder, mesh, parameters); });
  };
  EXPECT_TRUE(contains(error(geometry::sedan, "0\n8\n.6\n.1\n"), "tunnel.params:1: cells is 0; accepted: a number of cells"));
  EXPECT_TRUE(contains(error(geometry::sedan, "20\n8\n.5\n.1\n"), "tunnel.params:3: tau is .5; accepted: a number above 1/2"));
  EXPECT_TRUE(contains(error(geometry::sedan, "20\n8\n.6\n.2\n"), "tunnel.params:4: speed is .2; accepted: a number above 0"));
  EXPECT_TRUE(contains(error(geometry::sedan, "16384\n8\n.6\n.1\n"), "accepted are up to 65535"));
  EXPECT_TRUE(contains(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ""), "no cell's centre lies in the body"));
  EXPECT_TRUE(contains(error("v 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", ""), "the body has no length along x"));
}

TEST(Street, HasThePublicationsShareOfCellsThatAreNotFluid) {
  for (const auto* name : {"street-64x32x32", "street-128", "street-80x50x40"}) {
    const Case c = Model::make_case(name);
    const double solid = 1 - static_cast<double>(c.fluid_cells()) / static_cast<double>(c.cells());
    EXPECT_NEAR(solid, 1 - 734.668 / 739.293, 3e-5 + 2. / static_cast<double>(c.cells())) << name;
  }
}

TEST(Results, AreImageDataAndAPicture) {
  const Folder folder;
  const Case c = Model::make_case("car-48x24x24");
  ladder::Populations state;
  lattice::set_initial<Model>(c, {{}, c.grid()}, state);
  Model::write_results(c, state, {}, folder.path() / "out");
  const std::string flow = folder.read("out/flow.vti"), slice = folder.read("out/slice.ppm");
  EXPECT_TRUE(contains(flow, "WholeExtent=\"0 48 0 24 0 24\""));
  const std::size_t data = flow.find("<AppendedData encoding=\"raw\">\n_");
  ASSERT_NE(data, std::string::npos);
  const auto cells = static_cast<std::size_t>(c.cells());
  EXPECT_EQ(flow.size() - data, 31 + 3 * 8 + (3 * 4 + 4 + 1) * cells + std::string("\n  </AppendedData>\n</VTKFile>\n").size());
  EXPECT_TRUE(slice.starts_with("P6\n48 24\n255\n"));
  EXPECT_EQ(slice.size(), 13 + 3 * 48 * 24u);
}

TEST(Series, NeedsTheCellsAroundTheBody) {
  const Case c = Model::make_case("car-48x24x24");
  const ladder::Box box = Model::series_box(c);
  EXPECT_LT(box.cells(), c.cells() / 4);
  Reference reference(c);
  reference.advance(20);
  ladder::Populations part(q, box), whole(q, {{}, c.grid()});
  reference.store(part);
  reference.store(whole);
  const auto of_part = force(c, part), of_whole = force(c, whole);
  EXPECT_GT(of_whole[0], 0);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(of_part[axis], of_whole[axis], 1e-12);
}

}  // namespace
}  // namespace d3q19
