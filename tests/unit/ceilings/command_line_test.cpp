#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/folder.hpp"

namespace {

using nlohmann::json;

struct Answer {
  int code;
  std::string out, err;
};

/// Runs a backend's ceilings through the shell.
Answer ceilings(const std::string& backend, const std::string& arguments) {
  const ladder::test::Folder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const auto text = [&](const char* name) {
    std::ifstream stream(file(name));
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const int status = std::system((CEILINGS + backend + " " + arguments + " >" + file("out") + " 2>" + file("err")).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text("out"), text("err")};
}

class Ceilings : public testing::TestWithParam<std::string> {
 protected:
  static Answer run(const std::string& arguments) { return ceilings(GetParam(), arguments); }
};

/// The backends with ceilings in this build.
std::vector<std::string> backends() {
  std::istringstream words(BACKENDS);
  return {std::istream_iterator<std::string>(words), {}};
}

INSTANTIATE_TEST_SUITE_P(Backend, Ceilings, testing::ValuesIn(backends()), [](const auto& tested) { return tested.param; });

/// Names of a backend's ceilings.
std::vector<std::string> names(const std::string& backend) {
  std::vector<std::string> all;
  const json description = json::parse(ceilings(backend, "describe").out);
  for (const auto& ceiling : description.at("ceilings"))
    all.push_back(ceiling.at("name"));
  return all;
}

TEST_P(Ceilings, DescribeThemselves) {
  const Answer answer = run("describe");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json description = json::parse(answer.out);
  EXPECT_EQ(description.at("backend"), GetParam());
  EXPECT_FALSE(description.at("compiler").get<std::string>().empty());
  EXPECT_FALSE(description.at("flags").get<std::string>().empty());
  const auto& all = description.at("ceilings");
  ASSERT_GE(all.size(), 11U);
  EXPECT_EQ(all.at(4).at("name"), "copy-9");
  EXPECT_EQ(all.at(4).at("unit"), "site");
  EXPECT_EQ(all.at(4).at("stores"), json({"plain", "nt"}));
  const json moved = GetParam() == "cuda" ? json({"f32", "f64", "f16"}) : json({"f32", "f64"});
  EXPECT_EQ(all.at(4).at("precisions"), moved);
  EXPECT_EQ(all.at(3).at("precisions"), json({"f32", "f64"})) << "it computes";
  EXPECT_EQ(all.at(4).at("bytes_per_element").at("f32").at("read"), 36);
  EXPECT_EQ(all.at(4).at("bytes_per_element").at("f64").at("write"), 72);
  EXPECT_EQ(all.at(3).at("flops_per_element"), 2);
}

TEST(CeilingsOfABackend, AreThoseThatItCanExpress) {
  std::vector<std::string> expected = {"copy",    "scale",   "add",  "triad", "copy-9", "copy-19",
                                       "copy-27", "copy-37", "read", "fma",   "launch"};
  EXPECT_EQ(names("openmp"), expected);
  std::vector<std::string> of_opencl = expected;
  of_opencl.insert(of_opencl.end() - 1, "shared");
  of_opencl.insert(of_opencl.end() - 3, "l2-read");
  EXPECT_EQ(names("opencl"), of_opencl);
  const Answer answer = ceilings("openmp", "measure --name grid-sync");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("unknown ceiling 'grid-sync'"), std::string::npos) << answer.err;
  if (const auto all = backends(); std::find(all.begin(), all.end(), "cuda") == all.end()) GTEST_SKIP() << "no CUDA";
  expected.insert(expected.end() - 1, {"l2-read", "l2-copy", "shared"});
  expected.insert(expected.end(), {"graph", "grid-sync", "cluster-sync"});
  EXPECT_EQ(names("cuda"), expected);
}

TEST_P(Ceilings, SayWhyTheyCannotBeMeasuredWithoutADevice) {
  const json answer = json::parse(run("probe").out);
  if (answer.at("available")) GTEST_SKIP() << "there is a device";
  EXPECT_FALSE(answer.at("reason").get<std::string>().empty());
  const Answer measured = run("measure --name triad --bytes 1000000");
  EXPECT_EQ(measured.code, 3);
  EXPECT_EQ(measured.err, answer.at("reason").get<std::string>() + "\n");
  EXPECT_EQ(measured.out, "{\"code\":\"no-device\"}\n");
}

TEST_P(Ceilings, AreDescribedBesideTheExecutable) {
  std::ifstream file(std::string(CEILINGS) + GetParam() + ".json");
  EXPECT_EQ(json::parse(file), json::parse(run("describe").out));
}

TEST_P(Ceilings, SayWhetherTheyCanRunHere) {
  const Answer answer = run("probe");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(json::parse(answer.out).at("available").is_boolean());
}

TEST_P(Ceilings, MeasureEachInEachPrecisionAndWithEachStore) {
  if (!json::parse(run("probe").out).at("available")) GTEST_SKIP() << "no device";
  const json description = json::parse(run("describe").out);
  for (const auto& ceiling : description.at("ceilings"))
    for (const std::string precision : ceiling.at("precisions"))
      for (const std::string store : ceiling.at("stores")) {
        const std::string name = ceiling.at("name");
        const Answer answer = run("measure --name " + name + " --bytes 262144 --precision " + precision +
                                  " --set store=" + store + " --min-time 0.001 --samples 2");
        if (answer.code == 3) continue;  // not possible on this device; stderr has the reason
        ASSERT_EQ(answer.code, 0) << name << " " << precision << " " << store << ": " << answer.err;
        const json report = json::parse(answer.out);
        const json& sample = report.at("benchmarks").at(0);
        EXPECT_EQ(sample.at("run_type"), "iteration");
        EXPECT_EQ(sample.at("time_unit"), "s");
        EXPECT_GT(sample.at("real_time"), 0);
        EXPECT_GE(sample.at("steps"), 1);
        EXPECT_GE(sample.at("cells"), 1);
        if (name != "shared" && !name.starts_with("l2-")) {
          EXPECT_LE(sample.at("footprint_bytes"), 262144);
        }
        const auto& bytes = ceiling.at("bytes_per_element").at(precision);
        EXPECT_EQ(sample.at("bytes_per_update_model"), bytes.at("read").get<double>() + bytes.at("write").get<double>());
        EXPECT_EQ(sample.at("flops_per_update"), ceiling.at("flops_per_element").get<double>());
      }
}

TEST_P(Ceilings, MeasureAsManySamplesAsAsked) {
  if (!json::parse(run("probe").out).at("available")) GTEST_SKIP() << "no device";
  const Answer answer = run("measure --name launch --min-time 0.001 --samples 3");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json report = json::parse(answer.out);
  EXPECT_EQ(report.at("benchmarks").size(), 3U);
  for (const auto& sample : report.at("benchmarks"))
    EXPECT_EQ(sample.at("run_type"), "iteration");
}

/// A request, and the required text of the answer on stderr.
struct Mistake {
  const char* arguments;
  const char* message;
};

TEST_P(Ceilings, RefuseWhatTheyDoNotUnderstand) {
  for (const auto& [arguments, message] : {
           Mistake{"", "subcommand"},
           Mistake{"mesure", "subcommand"},
           Mistake{"measure", "--name"},
           Mistake{"measure --name traid --bytes 1000000", "did you mean 'triad'?"},
           Mistake{"measure --name triad", "--bytes is missing: triad needs a footprint"},
           Mistake{"measure --name triad --bytes 8191", "8191"},
           Mistake{"measure --name triad --bytes many", "many"},
           Mistake{"measure --name triad --bytes -1", "-1"},
           Mistake{"measure --name triad --bytes 1000000000000000000000", "1000000000000000000000"},
           Mistake{"measure --name triad --bytes 200000000000000", "triad needs 2"},
           Mistake{"measure --name triad --bytes 1000000 --precision f8", "accepted are f32, f64 and f16"},
           Mistake{"measure --name triad --bytes 1000000 --precision f16", "triad accepts f32, f64"},
           Mistake{"measure --name triad --bytes 1000000 --set store=not", "did you mean 'store=nt'?"},
           Mistake{"measure --name triad --bytes 1000000 --set wx=8", "triad accepts store=plain, store=nt"},
           Mistake{"measure --name read --bytes 1000000 --set store=nt", "read accepts store=plain"},
           Mistake{"measure --name triad --bytes 1000000 --min-time 0", "accepted is a number of seconds"},
           Mistake{"measure --name triad --bytes 1000000 --min-time nan", "accepted is a number of seconds"},
           Mistake{"measure --name triad --bytes 1000000 --samples 0", "--samples"},
       }) {
    // The amount of memory is known only if there is a device.
    if (std::string_view(message) == "triad needs 2" && !json::parse(run("probe").out).at("available")) continue;
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.code, 2) << arguments << ": " << answer.err;
    EXPECT_NE(answer.err.find(message), std::string::npos) << arguments << ": " << answer.err;
    const bool is_too_much = std::string_view(message) == "triad needs 2";
    EXPECT_EQ(answer.out, is_too_much ? "{\"code\":\"no-memory\"}\n" : "") << arguments;
  }
}

TEST_P(Ceilings, ExplainThemselves) {
  const Answer answer = run("measure --help");
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("--bytes"), std::string::npos);
}

}  // namespace
