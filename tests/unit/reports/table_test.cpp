// Tables made of columns, and how they are written.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/document.hpp"

namespace ladder::reports {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Part {
  double weight = unknown;
};

struct Thing {
  std::string name;
  double size = unknown;
  std::optional<Part> part = {};
  const Part* owner = nullptr;
};

Table table_of(const std::vector<Thing>& things) {
  const auto grams = [](double weight) { return TableCell(std::to_string(static_cast<int>(weight)) + " g", weight); };
  return tabulate("things", "Things",
                  {{"Name", "name", &Thing::name},
                   {"Size", "size", &Thing::size},
                   {"Part", "part_g", &Thing::part, &Part::weight, grams},
                   {"Owner", "owner", &Thing::owner, &Part::weight}},
                  things);
}

TEST(Table, ColumnsFollowMembersAndFunctionsToTheirCells) {
  EXPECT_EQ(to_csv(table_of({{"µ", 1.25, Part{7}}, {"b"}})), "name,size,part_g\nµ,1.25,7\nb,,\n");
}

TEST(Table, LeavesOutColumnsThatAreEmptyInAllRowsButNotTheFirst) {
  EXPECT_EQ(to_csv(table_of({{""}, {""}})), "name\n\n\n");
  EXPECT_EQ(to_csv(table_of({})), "name,size,part_g,owner\n") << "without rows, no column is empty";
}

TEST(Table, OnATerminalIsAlignedByCharacters) {
  EXPECT_EQ(to_text(table_of({{"µs", 1.25, Part{7}}, {"longer", 100}})),
            "Name    Size  Part\n"
            "µs      1.25   7 g\n"
            "longer   100     —\n");
}

}  // namespace
}  // namespace ladder::reports
