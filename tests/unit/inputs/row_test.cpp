// Every row that is written can be read again, whatever text it contains.
#include <gtest/gtest.h>

#include "harness/record/rows.hpp"

namespace ladder {
namespace {

using namespace std::string_literals;

TEST(Row, HoldsNoControlCharacters) {
  Row row;
  row.session = "s";
  row.utc = "2026-11-21T03:15:00Z";
  row.kind = "check";
  row.precision = "f32";
  row.outcome = "wrong";
  row.key = "k";
  for (const std::string& reason : {"a\0b"s, "\"\0\""s, "\x1b[2J"s, "a\v\f\x7f"s, "\0"s}) {
    row.reason = reason;
    const std::string text = csv_header<Row>() + "\n" + csv_line(row) + "\n";
    const RowFile file = parse_rows("m.csv", text);
    ASSERT_EQ(file.rows.size(), 1U);
    EXPECT_EQ(file.rows[0].key, "k");
    for (const char c : file.rows[0].reason)
      EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != 0x7f) << "in " << file.rows[0].reason;
  }
}

}  // namespace
}  // namespace ladder
