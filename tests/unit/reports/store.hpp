#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/record/csv.hpp"
#include "harness/record/rows.hpp"
#include "reports/report.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder::reports::test {

using ladder::test::contains;
using ladder::test::Folder;

/// The message of the InputError that `call` throws. The test fails if none is thrown.
template <class F>
std::string input_error(F call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "expected an InputError";
  return "";
}

/// Some fields of a stored row; the others have default values.
struct Entry {
  std::string kind = "sample";
  std::string rung = "d2q9/serial/01_plain";
  std::string case_name = "box-4";
  std::string tuning = "";
  std::string outcome = "ok";
  std::string reason = "";
  int round = 1;
  double updates_per_second = 1e6;
  std::string build = "default";
  std::string session = "s1";
  std::string key = "k";
  std::string backend = "serial";
  int cells = 16;
  double bytes_model = 108;
  double bytes_minimum = 72;
  double flops = 100;
  double footprint = 1152;
  std::string precision = "f32";
  std::string device = "cpu";
};

inline const char* header =
    "session,round,order,utc,kind,rung,build,backend,case,grid,cells,precision,tuning,threads,outcome,reason,check_steps,"
    "population_error,tolerance,history_error,steps,seconds,updates_per_second,bytes_per_update_model,bytes_per_update_minimum,"
    "flops_per_update,footprint_bytes,device,key\n";

/// A grid with this many cells.
inline std::string grid_of(int cells) { return cells % 4 == 0 ? fmt::format("4x{}", cells / 4) : fmt::format("{}x1", cells); }

inline std::string line(const Entry& e) {
  const bool is_check = e.kind == "check";
  return fmt::format(
      "{},{},1,2026-11-21T03:15:00Z,{},{},{},{},{},{},{},{},{},1,{},{},{},{},{},{},10,{},{},{},{},{},{},{},{}\n",
      csv_field(e.session), e.round, e.kind, csv_field(e.rung), csv_field(e.build), e.backend, csv_field(e.case_name),
      grid_of(e.cells), e.cells, e.precision, e.tuning, e.outcome, csv_field(e.reason), is_check ? "7" : "",
      is_check ? "1e-7" : "", is_check ? "1e-5" : "", is_check ? "1e-8" : "",
      is_check ? std::string()
               : fmt::format("{}", e.updates_per_second > 0 ? std::min(1e30, 10 * e.cells / e.updates_per_second) : 1.0),
      is_check ? std::string() : fmt::format("{}", e.updates_per_second), e.bytes_model, e.bytes_minimum, e.flops, e.footprint,
      csv_field(e.device), e.key);
}

/// The header of the version in which `last` is the last column.
inline std::string header_to(const std::string& last) {
  const std::string whole = csv_header<Row>();
  return whole.substr(0, whole.find("," + last) + last.size() + 1);
}

/// The check that samples of this entry need in order to be shown.
inline Entry check_of(Entry e) {
  e.kind = "check";
  e.round = 0;
  return e;
}

/// A check, and one sample per round with these rates.
inline std::string measured(const Entry& e, const std::vector<double>& rates) {
  std::string text = line(check_of(e));
  Entry sample = e;
  sample.round = 0;
  for (const double rate : rates) {
    ++sample.round;
    sample.updates_per_second = rate;
    text += line(sample);
  }
  return text;
}

/// Samples of a ceiling, one per round: for OpenMP on the CPU, for CUDA on any other device.
inline std::string ceiling(const std::string& name, double bytes, const std::string& store, const std::vector<double>& rates,
                           double bytes_per_element, double flops = 0, const std::string& device = "cpu") {
  const std::string backend = device == "cpu" ? "openmp" : "cuda";
  Entry e{.kind = "ceiling",
          .rung = "ceiling/" + backend + "/" + name,
          .case_name = fmt::format("ws-{:.0f}", bytes),
          .backend = backend};
  e.tuning = "store=" + store;
  e.bytes_model = e.bytes_minimum = bytes_per_element;
  e.flops = flops;
  e.device = device;
  std::string text;
  e.round = 0;
  for (const double rate : rates) {
    ++e.round;
    e.updates_per_second = rate;
    text += line(e);
  }
  return text;
}

/// A folder of experiments with one study, `waugh`, and results of one machine, `box`.
class Experiments {
 public:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / "waugh" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  void write_rows(const std::string& rows) const { write("results/box.csv", header + rows); }

  /// A session with 1 KiB, 4 KiB and 64 KiB of cache, and descriptions of rungs.
  void write_session(const nlohmann::json& rungs = nlohmann::json::object()) const {
    write("results/box.s1.json", nlohmann::json{{"utc", "2026-11-21T03:15:00Z"},
                                                {"machine",
                                                 {{"name", "box"},
                                                  {"cpu", "a processor"},
                                                  {"cores", 2},
                                                  {"caches",
                                                   {{{"level", 1}, {"bytes", 512}, {"count", 2}},
                                                    {{"level", 2}, {"bytes", 4096}, {"count", 1}},
                                                    {{"level", 3}, {"bytes", 65536}, {"count", 1}}}}}},
                                                {"source", {{"commit", "0123456789abcdef"}, {"dirty", false}}},
                                                {"rungs", rungs}}
                                     .dump());
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_.path(); }
  [[nodiscard]] std::filesystem::path out() const { return folder_.path() / "out"; }
  [[nodiscard]] ReportResult report() const {
    return write_report({.experiments = path(), .studies = {"waugh"}, .out = out(), .machine = ""});
  }
  [[nodiscard]] std::string read(const std::string& name) const { return folder_.read(name); }

 private:
  Folder folder_;
};

}  // namespace ladder::reports::test
