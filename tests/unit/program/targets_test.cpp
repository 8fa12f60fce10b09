// What the build provides and what a command needs from it, if little or nothing is built.
#include "harness/run/targets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "harness/run/plan.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using test::contains;
using test::input_error;

/// A build that contains only the backends' own programs: `here` runs, `away` does not, `missing` is left out.
class NothingBuilt : public testing::Test {
 protected:
  test::Folder folder;

  NothingBuilt() {
    write("bin/manifest.txt",
          "left-out missing there is no compiler; name one\n"
          "backend backends/here backend.here\n"
          "backend backends/away backend.away\n"
          "ceilings ceilings/here ceilings.here\n"
          "ceilings ceilings/away ceilings.away\n"
          "rung rungs/m/here/01_a/default m.here.01_a variants/m/here/01_a/kernel.cpp\n"
          "rung rungs/m/here/01_a/gcc-O2 m.here.01_a.gcc-O2 variants/m/here/01_a/kernel.cpp\n"
          "rung rungs/m/here/02_b/default m.here.02_b variants/m/here/02_b/kernel.cpp\n"
          "rung rungs/m/away/01_c/default m.away.01_c variants/m/away/01_c/kernel.cpp\n");
    add_program("bin/backends/here", R"({"available": true, "device": "a device", "pins_threads": true, "ceilings": "here"})");
    add_program("bin/backends/away", R"({"available": false, "reason": "no device"})");
    write("variants/m/here/01_a/kernel.cpp",
          "// Idea:    the first\n// Layout:  f[q]\n// Traffic: all of it\n//          twice\n// Source:  none\n// Bound:   "
          "memory\n");
    write("variants/m/here/02_b/kernel.cpp", "// Idea:    the second, without the rest\n");
    write("variants/m/here/02_b/host.cpp", "const Rung rung = {.follows = \"m/here/01_a\",\n");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder.path() / name).parent_path());
    folder.write(name, text);
  }
  void add_program(const std::string& name, const std::string& answer) const {
    write(name, "#!/bin/sh\necho '" + answer + "'\n");
    fs::permissions(folder.path() / name, fs::perms::owner_all);
  }
  void build(const std::string& path, const std::string& description) const {
    write("bin/" + path, "");
    write("bin/" + path + ".json", description);
  }
  /// The members that a rung's description must have, and `more`.
  static std::string description(const std::string& more) {
    return R"({"model": "m", "collision": "none", "constraints": [], "cases": ["box-4"], "operations": [], "tunables": [], )" +
           more + "}";
  }
  [[nodiscard]] Catalogue catalogue() const { return Catalogue(folder.path() / "bin", folder.path()); }

  template <class F>
  [[nodiscard]] Names targets(F ask) const {
    Catalogue all = catalogue();
    Targets needed(all);
    ask(needed);
    return needed.names();
  }
};

using TargetsOfACommand = NothingBuilt;

constexpr const char* study_of_all = R"(
[[matrix]]
rungs = ["m/*", "m/missing/*"]
cases = ["box-16"]
[[matrix]]
rungs = ["m/here/01_a"]
builds = ["gcc-*"]
cases = ["box-32"]
[[ceilings]]
backend = "here"
names = ["triad"]
bytes = [65536]
[[ceilings]]
backend = "away"
names = ["triad"]
bytes = [65536]
[[ceilings]]
backend = "missing"
names = ["triad"]
bytes = [65536]
[[field]]
rung = "m/away/01_c"
case = "box-16"
steps = 4
)";

TEST_F(TargetsOfACommand, AreTheRungsOfItsGlobThatRunHere) {
  EXPECT_EQ(targets([](Targets& t) { t.add_rungs("m/*"); }), (Names{"m.here.01_a", "m.here.02_b"}));
  EXPECT_EQ(targets([](Targets& t) { t.add_rungs("*/01_*"); }), (Names{"m.here.01_a"}));
  EXPECT_EQ(targets([](Targets& t) { t.add_rungs("m/here/01_a", "gcc-*"); }), (Names{"m.here.01_a.gcc-O2"}));
}

TEST_F(TargetsOfACommand, AreThoseOfABackendThatIsNamedWhereverItRuns) {
  EXPECT_EQ(targets([](Targets& t) { t.add_rungs("m/away/*"); }), (Names{"m.away.01_c"}));
  EXPECT_EQ(targets([](Targets& t) { t.add_rungs("m/away/01_c"); }), (Names{"m.away.01_c"}));
}

TEST_F(TargetsOfACommand, AreEachNamedOnce) {
  EXPECT_EQ(targets([](Targets& t) {
              t.add_rungs("m/here/02_b");
              t.add_rungs("m/here/*");
            }),
            (Names{"m.here.02_b", "m.here.01_a"}));
}

TEST_F(TargetsOfACommand, AreAllOfAStudyThatRunsHere) {
  const Study study = parse_study("study.toml", study_of_all);
  EXPECT_EQ(targets([&](Targets& t) { t.add(study); }),
            (Names{"m.here.01_a", "m.here.02_b", "m.here.01_a.gcc-O2", "ceilings.here"}));
}

constexpr const char* study_that_names_away = R"(
[[matrix]]
rungs = ["m/away/*", "m/away/01_c"]
cases = ["box-16"]
set = { w = [1, 2] }
[[series]]
rung = "m/away/01_c"
cases = ["box-16"]
)";

TEST_F(TargetsOfACommand, AreNoneOfABackendThatOnlyTheStudyNamesAndThatCannotRunHere) {
  Study study = parse_study("study.toml", study_that_names_away);
  EXPECT_EQ(targets([&](Targets& t) { t.add(study); }), Names{});
  take_part(study, {"m/*"}, {}, {});
  EXPECT_EQ(targets([&](Targets& t) { t.add(study); }), Names{});
}

TEST_F(TargetsOfACommand, AreThoseOfABackendThatThePartOfTheStudyNames) {
  for (const char* text : {study_that_names_away, study_of_all}) {
    Study study = parse_study("study.toml", text);
    take_part(study, {"m/away/*"}, {}, {});
    const Names all = targets([&](Targets& t) { t.add(study); });
    EXPECT_EQ(std::ranges::count(all, "m.away.01_c"), 1) << text;
    EXPECT_EQ(std::ranges::count(all, "ceilings.away"), text == study_of_all ? 1 : 0) << "with the limits of its device";
  }
}

TEST_F(TargetsOfACommand, AreThoseOfAPartOfAStudy) {
  Study study = parse_study("study.toml", study_of_all);
  take_part(study, {"m/here/01*", "*/02_b"}, {"box-1?"}, {});
  EXPECT_EQ(targets([&](Targets& t) { t.add(study); }), (Names{"m.here.01_a", "m.here.02_b", "ceilings.here"}));
}

TEST_F(TargetsOfACommand, AreOnlyWhatIsBuiltAlreadyWhereNothingIsRun) {
  EXPECT_EQ(targets([](Targets& t) {
              t.refresh("m/here/01_a");
              t.refresh_all();
            }),
            Names{});
  build("rungs/m/here/01_a/gcc-O2", description(R"("id": "m/here/01_a", "build": "gcc-O2", "backend": "here")"));
  build("ceilings/away", R"({"backend": "away", "ceilings": []})");
  EXPECT_EQ(targets([](Targets& t) { t.refresh_all(); }), (Names{"m.here.01_a.gcc-O2", "ceilings.away"}));
}

TEST_F(TargetsOfACommand, IncludeParentsWhereStepsAreShown) {
  EXPECT_EQ(targets([](Targets& t) { t.add_steps("m/here/02_b"); }), (Names{"m.here.02_b", "m.here.01_a"}));
  EXPECT_EQ(targets([](Targets& t) { t.add_steps("m/here/01_a"); }), (Names{"m.here.01_a"}));
  write("variants/m/away/01_c/kernel.cpp", "// Idea:    the third\n");
  write("variants/m/away/01_c/host.cpp", "const Rung rung = {.follows = \"m/here/01_a\",\n");
  EXPECT_EQ(targets([](Targets& t) { t.add_steps("*/01_c"); }), Names{}) << "which cannot run here";
  EXPECT_EQ(targets([](Targets& t) { t.add_steps("m/away/01_c"); }), (Names{"m.away.01_c", "m.here.01_a"}));
}

TEST_F(TargetsOfACommand, AreRefusedWhereTheyAreUnknown) {
  EXPECT_TRUE(contains(input_error([&] { (void)targets([](Targets& t) { t.add_rungs("m/here/01_b"); }); }), "'m/here/01_a'"));
  EXPECT_TRUE(contains(input_error([&] { (void)targets([](Targets& t) { t.add_rungs("m/missing/01_a"); }); }),
                       "backend missing is not built: there is no compiler; name one"));
}

using CatalogueOfSources = NothingBuilt;

TEST_F(CatalogueOfSources, DescribesRungsFromTheirSources) {
  const Catalogue all = catalogue();
  ASSERT_EQ(all.rungs().size(), 4u);
  const Executable& first = all.rungs()[0];
  EXPECT_EQ(first.id, "m/here/01_a");
  EXPECT_EQ(first.backend, "here");
  EXPECT_FALSE(first.is_built);
  EXPECT_EQ(first.description.idea, "the first");
  EXPECT_EQ(first.description.traffic, "all of it twice");
  EXPECT_EQ(first.description.follows, "");
  EXPECT_EQ(all.rungs()[1].build, "gcc-O2");
  EXPECT_EQ(all.rungs()[2].description.follows, "m/here/01_a");
  EXPECT_TRUE(contains(all.rungs()[2].description.idea, "Layout")) << "names what is missing";
  EXPECT_EQ(all.rungs()[3].description.idea, "") << "without sources";
}

TEST_F(CatalogueOfSources, PrefersSourcesThatAreNewerThanWhatIsBuilt) {
  build("rungs/m/here/01_a/default",
        description(R"("id": "m/here/01_a", "build": "default", "backend": "here", "idea": "as built", "lattices": 2)"));
  const auto json = folder.path() / "bin/rungs/m/here/01_a/default.json";
  const auto kernel = folder.path() / "variants/m/here/01_a/kernel.cpp";
  fs::last_write_time(kernel, fs::last_write_time(json) - std::chrono::seconds(1));
  EXPECT_EQ(catalogue().rungs()[0].description.idea, "as built");
  fs::last_write_time(kernel, fs::last_write_time(json) + std::chrono::seconds(1));
  const Catalogue changed = catalogue();
  EXPECT_TRUE(changed.rungs()[0].is_built);
  EXPECT_EQ(changed.rungs()[0].description.idea, "the first");
  EXPECT_EQ(changed.rungs()[0].description.lattices, 2);
}

TEST_F(CatalogueOfSources, AsksTheBackendsOwnProgram) {
  Catalogue all = catalogue();
  const Availability& here = all.probe(all.rungs()[0]);
  EXPECT_TRUE(here.available);
  EXPECT_EQ(here.device, "a device");
  EXPECT_TRUE(here.pins_threads);
  EXPECT_EQ(here.ceilings, "here");
  EXPECT_EQ(all.probe(all.rungs()[3]).reason, "no device");
}

TEST_F(CatalogueOfSources, AsksOthersOfTheBackendWhereItsProgramDoesNotAnswer) {
  for (const std::string answer : {"", "hello", "[]", R"({"available": "yes"})", R"({"device": "a device"})",
                                   R"({"available": true, "threads": "2"})", R"({"available": true, "threads": -1})"}) {
    add_program("bin/backends/here", answer);
    add_program("bin/rungs/m/here/01_a/gcc-O2", answer);
    build("rungs/m/here/02_b/default", description(R"("id": "m/here/02_b", "backend": "here")"));
    Catalogue silent = catalogue();
    EXPECT_FALSE(silent.probe(silent.rungs()[0]).available) << answer;
    EXPECT_TRUE(silent.probe(silent.rungs()[0]).is_broken) << answer;
    EXPECT_TRUE(contains(silent.probe(silent.rungs()[0]).reason, "the probe failed: ")) << answer;
    add_program("bin/rungs/m/here/02_b/default", R"({"available": true, "device": "a device"})");
    Catalogue all = catalogue();
    EXPECT_EQ(all.probe(all.rungs()[0]).device, "a device") << answer;
    EXPECT_FALSE(all.probe(all.rungs()[0]).is_broken) << answer;
  }
}

TEST_F(CatalogueOfSources, KnowsWhichDescriptionsAreNone) {
  const std::string good =
      description(R"("id": "m/here/01_a", "backend": "here", "bytes_per_update": {"f32": {"read": 1, "write": 1}},
                                           "bytes_per_update_minimum": {"f32": 2})");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NO_THROW((void)parse_description(good));
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"), std::string("7"), with("\"m\"", "7"),
        with("\"model\"", "\"modal\""), with("[\"box-4\"]", "[]"), with("\"box-4\"", "4"),
        with("\"tunables\": []", "\"tunables\": [{}]"), with("\"operations\": []", "\"operations\": [1]"),
        with("{\"f32\": 2}", "{}"), with("\"read\": 1", "\"read\": \"1\""), with("\"f32\": {", "\"f23\": {"),
        with("\"here\"", "null"), with("\"here\"", "\"here\", \"idea\": null"), with("\"here\"", "null, \"follows\": []")}) {
    build("rungs/m/here/01_a/default", text);
    const Catalogue all = catalogue();
    EXPECT_NE(all.rungs()[0].fault, "") << text;
    EXPECT_EQ(all.rungs()[0].id, "m/here/01_a") << text;
    EXPECT_TRUE(contains(input_error([&] { (void)all.built_rung("m/here/01_a"); }), "; build m.here.01_a again")) << text;
  }
}

TEST_F(CatalogueOfSources, RefusesToRunWhatIsNotBuilt) {
  Catalogue all = catalogue();
  EXPECT_TRUE(contains(input_error([&] { (void)all.built_rung("m/here/01_a"); }),
                       "m/here/01_a is not built; its target is m.here.01_a"));
  EXPECT_TRUE(contains(input_error([&] { (void)all.match_built("m/here/*"); }), "m/here/01_a is not built"));
  EXPECT_TRUE(all.match_built("m/away/*").empty()) << "it cannot run here";
}

TEST_F(CatalogueOfSources, PlansCellsOfABackendThatCannotRunHereWithItsReason) {
  Catalogue all = catalogue();
  const std::vector<Cell> cells = expand(parse_study("study.toml", study_that_names_away), all);
  ASSERT_EQ(cells.size(), 2u) << "each once";
  for (const Cell& cell : cells) {
    EXPECT_EQ(cell.row.rung, "m/away/01_c");
    EXPECT_EQ(cell.unavailable, "no device");
    EXPECT_EQ(cell.row.reason_code, "no-device");
    EXPECT_FALSE(cell.is_broken);
  }
  EXPECT_EQ(cells[0].row.tuning, "w=1");
  EXPECT_EQ(cells[1].row.tuning, "w=2");
}

TEST_F(CatalogueOfSources, PlansNoCellsOfABackendThatCannotRunHereIfNothingNamesIt) {
  Catalogue all = catalogue();
  const Study study = parse_study("study.toml", "[[matrix]]\nrungs = [\"*/01_c\"]\ncases = [\"box-16\"]\n");
  EXPECT_TRUE(expand(study, all).empty());
}

TEST_F(CatalogueOfSources, KnowsWhyABackendIsLeftOut) {
  const Catalogue all = catalogue();
  EXPECT_EQ(all.why_left_out("missing"), "there is no compiler; name one");
  EXPECT_EQ(all.why_left_out("here+missing"), "there is no compiler; name one");
  EXPECT_EQ(all.why_left_out("here"), "");
  EXPECT_EQ(all.why_left_out("miss"), "");
  EXPECT_EQ(all.why_left_out(""), "");
  EXPECT_TRUE(contains(input_error([&] { (void)all.ceilings_of("missing"); }), "no compiler"));
}

TEST(BackendOfAGlob, IsItsSecondPart) {
  EXPECT_EQ(backend_of("d2q9/cuda/*"), "cuda");
  EXPECT_EQ(backend_of("d2q9/mpi+opencl/01_x"), "mpi+opencl");
  EXPECT_EQ(backend_of("*/open*/01_x"), "open*");
  EXPECT_EQ(backend_of("d2q9/*"), "*");
  EXPECT_EQ(backend_of("*"), "");
}

}  // namespace
}  // namespace ladder
