// The sections of a report for arbitrary rows, and their tables as files. The input is a results file without its header.
#include "harness/record/rows.hpp"
#include "reports/sections/sections.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/study.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

static const std::string_view blocks = R"(
[[report]]
kind = "accuracy"
[[report]]
kind = "ceilings"
[[report]]
kind = "flags"
rung = "r/a"
cases = ["box-4"]
[[report]]
kind = "heatmap"
rung = "r/a"
cases = ["box-4"]
paper = "p"
[[report]]
kind = "operations"
[[report]]
kind = "portability"
cases = ["box-4"]
applications = [{ label = "a", rung = "r/a" }, { label = "any", rung = "*" }]
platforms = [{ label = "here", machine = "m" }, { label = "there", machine = "none" }]
[[report]]
kind = "roofline"
rungs = ["*"]
cases = ["box-4"]
paper = "p"
[[report]]
kind = "steps"
rungs = ["*"]
cases = ["box-4"]
[[report]]
kind = "stream"
rungs = ["*"]
cases = ["box-4"]
paper = "p"
[[report]]
kind = "growth"
rungs = ["*"]
cases = ["box-4"]
paper = "p"
[[report]]
kind = "sweep"
rungs = ["*"]
cases = ["box-4"]
)";

static const std::string_view paper =
    "item,label,case,quantity,value,unit,where\n"
    "t,p,box-4,seconds,2,s,I\nt,p,box-4,steps,10,,I\nt,p,,intensity,1.5,flop/B,I\nt,p,box-4,bandwidth,1e9,GB/s,I\n"
    "t,p,,best_wx,8,,I\nt,p,box-4,stream_fraction,60,%,I\n";

static const std::string_view session = R"({"session": "s", "utc": "2026",
  "machine": {"cores": 2, "caches": [{"level": 1, "bytes": 1000, "count": 2}, {"level": 2, "bytes": 1e6}]},
  "rungs": {"r/a": {"id": "r/a", "operations": [{"form": "f", "add": 1, "total": 1}], "collision": "f",
                    "bytes_per_update": {"f32": {"read": 36, "write": 36}}, "bytes_per_update_minimum": {"f32": 72},
                    "tunables": [{"name": "wx", "initial": 8}]}}})";

static std::size_t bytes_of(const reports::Section& section, std::string_view input) {
  std::size_t bytes = 0;
  for (const reports::Part& part : section.parts) {
    if (const auto* table = std::get_if<reports::Table>(&part)) {
      for (const auto& row : table->rows)
        require(row.size() == table->columns.size(), "every row has the table's columns");
      bytes += to_html(*table).size() + to_csv(*table).size() + to_markdown(*table).size();
    }
    if (const auto* figure = std::get_if<reports::Figure>(&part)) {
      bytes += figure->plot.script().size();
      for (const char* end : {"[nan", "[-nan", ":nan]", ":-nan]", "[inf", "[-inf", ":inf]", ":-inf]"})
        require(input.find_first_of("[]") != std::string_view::npos || figure->plot.script().find(end) == std::string::npos,
                "the ends of an axis are numbers");
      require(figure->plot.width() > 0 && figure->plot.width() < 10000, "a figure has a size");
    }
  }
  return bytes;
}

LADDER_FUZZ(input) {
  static const reports::Study study =
      study_of(reports::Paper("paper.csv", paper), ladder::parse_parameters("study.toml", blocks).tables_if_any("report"));
  static const ladder::Provenance described = ladder::parse_provenance("m.s.json", session);
  reports::MachineData data{"m", "none", {}, {described}};
  if (!accepts([&] { data.file = ladder::parse_rows("m.csv", ladder::csv_header<ladder::Row>() + "\n" + std::string(input)); }))
    return;
  const reports::Results results(data);
  const reports::Ceilings ceilings(results);
  const reports::Context context{study, results, ceilings};
  std::size_t bytes = bytes_of(summary(context), input);
  for (const ladder::Parameters& block : study.blocks)
    accepts([&] {
      bytes += bytes_of(
          reports::is_across(block) ? reports::make_section_across(block, {context}) : make_section(block, context), input);
    });
  require(bytes > 0 && bytes < (std::size_t{1} << 24), "a report of few rows is small");
}
