// Provenance files: members of another type or range are named.
#include "harness/store/provenance.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::input_error;

std::string error(const std::string& text) {
  return input_error([&] { parse_provenance("m.s.json", text); });
}

TEST(Provenance, HoldsIntegersThatFit) {
  EXPECT_EQ(parse_provenance("m.s.json", R"({"machine": {"cores": 2}})").cores, 2);
  for (const char* value : {"1e300", "4294967297", "-1", "2.5"})
    EXPECT_TRUE(contains(error(std::string(R"({"machine": {"cores": )") + value + "}}"), "m.s.json: 'cores' is "));
  EXPECT_TRUE(contains(error(R"({"machine": {"caches": [{"level": 1e10}]}})"), "m.s.json: 'level' is 10000000000; accepted: "));
  EXPECT_TRUE(contains(error(R"({"rungs": {"r": {"tunables": [{"name": "wx", "initial": 1e300}]}}})"), "'initial' is 1e+300"));
}

TEST(Provenance, NamesDevices) {
  const auto own = parse_provenance("m.s.json", R"({"device_caches": {"a GPU": [{"level": 2, "bytes": 6e7}]}})").device_caches;
  EXPECT_EQ(own.at("a GPU").at(0).total(), 6e7);
  EXPECT_EQ(parse_provenance("m.s.json", R"({"devices": {"opencl": "a device"}})").devices.at("opencl"), "a device");
  const std::string nested = R"({"devices": {"opencl": )" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}";
  EXPECT_TRUE(contains(error(nested), "m.s.json: is no provenance file"));
}

}  // namespace
}  // namespace ladder::reports
