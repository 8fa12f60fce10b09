// CSV files as reports read them, with any columns.
#include "harness/record/csv.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

static std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields)
    text += (&field == &fields.front() ? "" : ",") + ladder::csv_field(field);
  return text + "\n";
}

LADDER_FUZZ(input) {
  ladder::CsvFile file;
  if (!accepts([&] { file = ladder::CsvFile::parse("f.csv", input); }) || file.records().empty()) return;
  const std::size_t columns = file.records().front().fields.size();
  if (columns == 1) return;  // an empty field would make a blank line
  std::string written = line(std::vector<std::string>(columns, "name"));
  for (const ladder::CsvRecord& record : file.records()) {
    require(record.fields.size() == columns, "every record has the header's columns");
    written += line(record.fields);
  }
  const ladder::CsvFile back = ladder::CsvFile::parse("f.csv", written);
  require(!back.is_truncated() && back.records().size() == file.records().size(), "every record is written again");
  for (std::size_t i = 0; i < back.records().size(); ++i)
    require(back.records()[i].fields == file.records()[i].fields, "what is written again parses to the same");
}
