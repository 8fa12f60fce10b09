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
  const std::size_t utc = file.column("utc");
  const std::size_t findings = file.column("findings");
  Table table{"faults",
              "Studies that were disturbed at random, compared with an undisturbed study",
              {{"Fault", "fault", false},
               {"Disturbances", "disturbances"},
               {"Studies", "studies"},
               {"Rows per study", "rows"},
               {"Rows lost", "lost"},
               {"Rows doubled", "doubled"},
               {"Other rows", "others"},
               {"Passed", "passed", false}}};
  const CsvRecord* last = nullptr;
  for (const CsvRecord& r : file.records()) {
    if (last != nullptr && last->fields[utc] != r.fields[utc]) table.rows.clear();  // rows of an earlier run
    last = &r;
    std::vector<TableCell> row{r.fields[file.column("fault")]};
    for (std::size_t i = 1; i + 1 < table.columns.size(); ++i)
      row.push_back(count_cell(file.number(r, file.column(table.columns[i].name))));
    row.push_back(passed_cell(file.integer(r, findings) == 0));
    table.rows.push_back(std::move(row));
  }
  if (last == nullptr) return;
  const auto of_last = [&](const char* column) {
    const std::string& field = last->fields[file.column(column)];
    return field.empty() ? "unknown" : field;
  };
  section.add(std::move(table), fmt::format("{} s of random faults, seed {}, ended {}; commit {}. From "
                                            "experiments/{}/results/{}. Each study ends undisturbed; then "
                                            "its rows are compared with those of an undisturbed study, by kind, rung, case, "
                                            "precision, tuning, round and outcome.",
                                            of_last("seconds"), of_last("seed"), of_last("utc"), of_last("commit"),
                                            context.study.name, path.filename().string()));
}

}  // namespace ladder::reports
