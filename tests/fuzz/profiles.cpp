// Stored hardware counters, and the sections that show them. The input is a file of profiles, or only its rows without the
// header.
#include "harness/record/profiles.hpp"

#include <algorithm>
#include <string>

#include "harness/record/rows.hpp"
#include "reports/sections/sections.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/study.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

static const std::string_view blocks = R"(
[[report]]
kind = "profile"
[[report]]
kind = "profile"
cases = ["box-4"]
tuning = "best"
[[report]]
kind = "operations"
[[report]]
kind = "roofline"
rungs = ["*"]
cases = ["box-4"]
[[report]]
kind = "backends"
cases = ["box-4"]
pairs = [{ label = "a", rung = "r/a", over = "r/b" }]
[[report]]
kind = "counters"
case = "box-4"
steps = 100000
columns = [{ paper = "P" }, { rung = "r/a" }, { rung = "r/*", case = "box-8", precision = "f64", tuning = "best" }]
[[report]]
kind = "counters"
case = "box-4"
columns = [{ rung = "r/a" }]
)";

static const std::string_view paper =
    "item,label,case,quantity,value,unit,where\nt,P,box-4,duration,1e30,µs,1\nt,P,box-4,dram_rate,1e-20,GB/s,1\n"
    "t,P,box-4,l2_requests,5,,1\nt,P,,l1_hit_rate,5,%,1\n";

/// A check and a sample; the columns after their key are empty.
std::string samples() {
  const std::string header = ladder::csv_header<ladder::Row>();
  std::string text = header + "\n";
  for (const std::string& row :
       {std::string("s,0,1,2026-11-21T03:15:00Z,check,r/a,default,cuda,box-4,4x4,16,f32,,1,ok,,1,0,1,0,,,,72,72,85,1152,d,k"),
        std::string(
            "s,1,1,2026-11-21T03:15:00Z,sample,r/a,default,cuda,box-4,4x4,16,f32,,1,ok,,,,,,10,1,160,72,72,85,1152,d,k")})
    text += row + std::string(std::ranges::count(header, ',') - std::ranges::count(row, ','), ',') + "\n";
  return text;
}

static const std::string_view session = R"({"session": "s", "utc": "2026",
  "rungs": {"r/a": {"id": "r/a", "executable": "e", "operations": [{"form": "f", "add": 1, "total": 1}], "collision": "f",
                    "bytes_per_update": {"f32": {"read": 36, "write": 36}}, "bytes_per_update_minimum": {"f32": 72}}}})";

LADDER_FUZZ(input) {
  static const reports::Study study =
      study_of(reports::Paper("paper.csv", paper), ladder::parse_parameters("study.toml", blocks).tables_if_any("report"));
  static const ladder::RowFile rows = ladder::parse_rows("m.csv", samples());
  static const ladder::Provenance described = ladder::parse_provenance("m.s.json", session);
  reports::MachineData data{"m", "none", rows, {described}};
  const bool has_header = input.starts_with("session,");
  const std::string text = has_header ? std::string(input) : ladder::csv_header<ladder::Profile>() + "\n" + std::string(input);
  if (!accepts([&] { data.profiles = ladder::parse_profiles("m.profile.csv", text); })) return;
  const reports::Results results(data);
  const reports::Ceilings ceilings(results);
  const reports::Context context{study, results, ceilings};
  for (const ladder::Parameters& block : study.blocks) {
    const reports::Section section = make_section(block, context);
    for (const reports::Part& part : section.parts) {
      if (const auto* table = std::get_if<reports::Table>(&part)) {
        for (const auto& row : table->rows)
          require(row.size() == table->columns.size(), "every row has the table's columns");
        require(!to_html(*table).empty() && !to_csv(*table).empty() && !to_markdown(*table).empty(), "a table is written");
      }
      if (const auto* figure = std::get_if<reports::Figure>(&part))
        require(!figure->plot.script().empty(), "a figure is drawn");
    }
  }
}
