// The values of a publication, paper.csv.
#include "reports/paper.hpp"

#include "base/format.hpp"
#include "harness/record/csv.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

LADDER_FUZZ(input) {
  reports::Paper paper;
  if (!accepts([&] { paper = reports::Paper("paper.csv", input); })) return;
  std::string written = "item,label,case,quantity,value,unit,where\n";
  for (const reports::PaperValue& v : paper.values()) {
    require(paper.has_label(v.label), "a label is known");
    require(paper.find(v.label, v.case_name, v.quantity) != nullptr, "a value is found");
    for (const std::string& field : {v.item, v.label, v.case_name, v.quantity, ladder::exact(v.value), v.unit})
      written += ladder::csv_field(field) + ",";
    written += ladder::csv_field(v.where) + "\n";
  }
  const reports::Paper back("paper.csv", written);
  require(back.values().size() == paper.values().size(), "every number is written again");
  for (std::size_t i = 0; i < back.values().size(); ++i)
    require(back.values()[i].value == paper.values()[i].value && back.values()[i].where == paper.values()[i].where,
            "what is written again parses to the same");
}
