#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {

void faults(const Parameters&, const Context& context, Section& section) {
  const MachineData& data = context.results.data();
  const std::filesystem::path path = data.folder / (data.name + ".faults.csv");
  if (!std::filesystem::exists(path)) return section.note("No random faults are stored yet (scripts/faults).");
  const CsvFile file = CsvFile::read(path);
  if (file.records().empty()) return;
  const CsvRecord& last = file.records().back();
  std::vector<CsvRecord> rows = file.records();
  std::erase_if(rows, [&, at = file.column("utc")](const CsvRecord& r) { return r.fields[at] != last.fields[at]; });
  const auto count = [&](const char* title, const char* name) {
    return Column<CsvRecord>(
        title, name, [&, at = file.column(name)](const CsvRecord& r) { return file.number(r, at); }, count_cell);
  };
  const auto of_last = [&](const char* column) {
    const std::string& field = last.fields[file.column(column)];
    return field.empty() ? "unknown" : field;
  };
  section.add(tabulate("faults", "Studies that were disturbed at random, compared with an undisturbed study",
                       {{"Fault", "fault", [&](const CsvRecord& r) { return r.fields[file.column("fault")]; }},
                        count("Disturbances", "disturbances"),
                        count("Studies", "studies"),
                        count("Rows per study", "rows"),
                        count("Rows lost", "lost"),
                        count("Rows doubled", "doubled"),
                        count("Other rows", "others"),
                        {"Passed", "passed",
                         [&](const CsvRecord& r) { return passed_cell(file.integer(r, file.column("findings")) == 0); }}},
                       rows),
              fmt::format("{} s of random faults, seed {}, ended {}; commit {}. From "
                          "experiments/{}/results/{}. Each study ends undisturbed; then "
                          "its rows are compared with those of an undisturbed study, by kind, rung, case, "
                          "precision, tuning, round and outcome.",
                          of_last("seconds"), of_last("seed"), of_last("utc"), of_last("commit"), context.study.name,
                          path.filename().string()));
}

}  // namespace ladder::reports
