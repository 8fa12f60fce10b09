// Provenance files: errors name members with a wrong type or range.
#include "harness/record/provenance.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::input_error;

std::string error(const std::string& text) {
  return input_error([&] { parse_provenance("m.s.json", text); });
}

TEST(Provenance, HoldsIntegersThatFit) {
  EXPECT_EQ(parse_provenance("m.s.json", R"({"machine": {"cores": 2}})").machine.cores, 2);
  for (const char* value : {"1e300", "4294967297", "-1", "2.5"})
    EXPECT_TRUE(contains(error(std::string(R"({"machine": {"cores": )") + value + "}}"), "m.s.json: 'cores' is "));
  EXPECT_TRUE(contains(error(R"({"machine": {"caches": [{"level": 1e10}]}})"), "m.s.json: 'level' is 10000000000; accepted: "));
  EXPECT_TRUE(contains(error(R"({"rungs": {"r": {"tunables": [{"name": "wx", "initial": 1e300}]}}})"), "'initial' is 1e+300"));
}

TEST(Provenance, BelongsToTheSessionAndMachineInItsName) {
  const std::string text = "{\n\"session\": \"s\",\n\"machine\": {\n\"name\": \"m\"}}";
  for (const char* name : {"m.s.json", "m.profile.s.json", "any.json"})
    EXPECT_EQ(parse_provenance(name, text).session, "s");
  EXPECT_EQ(input_error([&] { parse_provenance("m.t.json", text); }),
            "m.t.json:2: session is 's'; accepted: 't', as in the file's name");
  EXPECT_EQ(input_error([&] { parse_provenance("other.s.json", text); }),
            "other.s.json:4: machine.name is 'm'; accepted: 'other', as in the file's name");
}

TEST(Provenance, NamesDevices) {
  const auto own = parse_provenance("m.s.json", R"({"device_caches": {"a GPU": [{"level": 2, "bytes": 6e7}]}})").device_caches;
  EXPECT_EQ(own.at("a GPU").at(0).total(), 6e7);
  EXPECT_EQ(parse_provenance("m.s.json", R"({"devices": {"opencl": "a device"}})").devices.at("opencl"), "a device");
  const std::string nested = R"({"devices": {"opencl": )" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}";
  EXPECT_TRUE(contains(error(nested), "m.s.json: 'devices' is array; accepted: a text"));
}

TEST(Provenance, IsWrittenAsItIsRead) {
  const std::string text = R"({"session": "s", "command": ["ladder", "", "run"], "seed": 18446744073709551615, "plan": "00d3",
    "machine": {"name": "m", "cores": 2, "caches": [{"level": 1, "bytes": 49152, "count": 2}]},
    "source": {"commit": "0123", "dirty": true}, "devices": {"serial": "cpu", "opencl": ""},
    "rungs": {"m/r": {"id": "m/r", "bytes_per_update": {"f32": {"read": 36, "write": 36}},
                      "operations": [{"form": "f", "add": 1, "total": 1}],
                      "tunables": [{"name": "wx", "values": [-1, 2], "initial": -1}]}},
    "cells": ["a", "b"], "stopped": {"reason": "rounds", "rounds": 8}, "timing": {"wall_seconds": 1.5}})";
  const Provenance p = parse_provenance("m.s.json", text);
  EXPECT_EQ(p.cells, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(p.stopped->rounds, 8);
  EXPECT_EQ(p.seed, 18446744073709551615u);
  EXPECT_EQ(p.rungs.at(0).second.tunables[0].initial, -1);
  EXPECT_FALSE(p.profiler);
  const std::string written = provenance_text(p);
  EXPECT_EQ(provenance_text(parse_provenance("m.s.json", written)), written);
  EXPECT_TRUE(contains(written, R"("commit": "0123")"));
  EXPECT_FALSE(contains(written, "pinning")) << "empty members are left out";
}

TEST(Provenance, NamesAMemberOfAnotherType) {
  for (const char* text : {"", "3x", R"({"plan": 3})", R"({"cells": "a"})", R"({"cells": ["a", 1]})", R"({"timing": [1]})",
                           R"({"timing": 3})", R"({"timing": {"wall_seconds": "long"}})", "{\"plan\": \"a\""})
    EXPECT_TRUE(contains(error(text), "m.s.json: ")) << text;
  EXPECT_EQ(error(R"({"plan": 3})"), "m.s.json: 'plan' is number; accepted: a text");
  EXPECT_EQ(error(R"({"seed": "one"})"), "m.s.json: 'seed' is string; accepted: an integer");
  EXPECT_EQ(error(R"({"source": {"dirty": 1}})"), "m.s.json: 'dirty' is number; accepted: true or false");
  EXPECT_EQ(error(R"({"timing": {"wall_seconds": "long"}})"), "m.s.json: 'wall_seconds' is string; accepted: a number");
}

}  // namespace
}  // namespace ladder::reports
