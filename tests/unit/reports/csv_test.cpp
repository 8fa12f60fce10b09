// CSV: quoting, line numbers in errors, and a last row that a killed program left incomplete.
#include "harness/record/csv.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::input_error;

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLineBreaks) {
  const CsvFile file = CsvFile::parse("f.csv", "a,b\n\"x,y\",\"say \"\"hi\"\"\nthere\"\nlast,row\n");
  ASSERT_EQ(file.records().size(), 2U);
  EXPECT_EQ(file.records()[0].fields, (std::vector<std::string>{"x,y", "say \"hi\"\nthere"}));
  EXPECT_EQ(file.records()[1].line, 4U) << "lines of the file, not records";
}

TEST(Csv, AcceptsCarriageReturnsByteOrderMarkAndBlankLines) {
  const CsvFile file = CsvFile::parse("f.csv",
                                      "\xEF\xBB\xBF"
                                      "a,b\r\n\r\n1,2\r\n");
  ASSERT_EQ(file.records().size(), 1U);
  EXPECT_EQ(file.column("a"), 0U);
  EXPECT_EQ(file.number(file.records()[0], 1), 2.0);
}

TEST(Csv, LeavesOutALastLineThatIsNoWholeRow) {
  for (const char* cut : {"a,b\n1,2\n3", "a,b\n1,2\n3,\"4", "a,b\n1,2\n\"3,4"}) {
    const CsvFile file = CsvFile::parse("f.csv", cut);
    EXPECT_EQ(file.records().size(), 1U) << cut;
    EXPECT_TRUE(file.is_truncated()) << cut;
    EXPECT_EQ(file.whole_bytes(), 8U) << cut;
  }
  EXPECT_FALSE(CsvFile::parse("f.csv", "a,b\n1,2\n").is_truncated());
}

TEST(Csv, TakesALastRowWithoutALineBreak) {
  for (const char* text : {"a,b\n1,2\n3,4", "a,b\n1,2\n3,", "a,b\n1,2\n3,\"4\""}) {
    const CsvFile file = CsvFile::parse("f.csv", text);
    EXPECT_EQ(file.records().size(), 2U) << text;
    EXPECT_FALSE(file.is_truncated()) << text;
    EXPECT_FALSE(file.is_whole()) << text;
  }
}

TEST(Csv, NamesTheLineOfAQuoteWithoutAnEnd) {
  for (const char* text : {"a,b\n1,2\n3,\"4\n5,6\n7,8\n", "a,b\n1,2\n\"3,4\n", "a,b\n1,2\n3,\"4\n5,6"})
    EXPECT_TRUE(contains(input_error([&] { CsvFile::parse("f.csv", text); }), "f.csv:3: a quote is not closed")) << text;
}

TEST(Csv, NamesTheLineOfARowWithTooFewOrTooManyFields) {
  EXPECT_TRUE(contains(input_error([] { CsvFile::parse("f.csv", "a,b\n1,2\n3\n"); }), "f.csv:3: 1 fields; accepted: 2"));
  EXPECT_TRUE(contains(input_error([] { CsvFile::parse("f.csv", "a,b\n1,2,3\n"); }), "f.csv:2: 3 fields"));
  EXPECT_TRUE(
      contains(input_error([] { CsvFile::parse("f.csv", "a\n\"x\"y\n"); }), "f.csv:2: a quoted field is followed by 'y'"));
  EXPECT_TRUE(contains(input_error([] { CsvFile::parse("f.csv", ""); }), "no header line"));
}

TEST(Csv, RefusesALineOfEndlessFields) {
  EXPECT_EQ(input_error([&] { CsvFile::parse("f.csv", "a,b\n1,2\n" + std::string(1'000'000, ',') + "\n"); }),
            "f.csv:3: more than 10000 fields; accepted: as many as in the header");
}

TEST(Csv, NamesLineColumnAndValueOfWhatIsNoNumber) {
  const CsvFile file = CsvFile::parse("f.csv", "a,b\n1,two\n");
  const std::string message = input_error([&] { (void)file.number(file.records()[0], 1); });
  EXPECT_TRUE(contains(message, "f.csv:2: column 'b' is 'two'; accepted: a number"));
  EXPECT_TRUE(contains(input_error([&] { (void)file.column("c"); }), "lacks the column 'c'; it has a,b"));
}

TEST(Csv, AnEmptyNumberIsNotANumberAndAnEmptyCountIsZero) {
  const CsvFile file = CsvFile::parse("f.csv", "a,b\n,\n");
  EXPECT_TRUE(std::isnan(file.number(file.records()[0], 0)));
  EXPECT_EQ(file.integer(file.records()[0], 1), 0);
}

TEST(Csv, WhatIsWrittenReadsBack) {
  for (const std::string field : {"plain", "a,b", "say \"hi\"", "two\nlines", ""}) {
    const CsvFile file = CsvFile::parse("f.csv", "a,b\n" + csv_field(field) + ",x\n");
    EXPECT_EQ(file.records().at(0).fields.at(0), field);
  }
}

TEST(Csv, WhatASpreadsheetWouldRunReadsBack) {
  for (const std::string text : {"=1+1", "'=1+1", "''@x", "-dash", "+5", "-5", "'-5", "'", "it's", ""}) {
    const CsvFile file = CsvFile::parse("f.csv", "a,b\n" + csv_text(text) + ",x\n");
    const std::string& field = file.records().at(0).fields.at(0);
    EXPECT_EQ(plain_text(field), text);
    EXPECT_TRUE(field.empty() || field.front() != '=') << field;
  }
  EXPECT_EQ(csv_text("=1+1"), "'=1+1");
  EXPECT_EQ(csv_text("-5"), "-5") << "a number";
}

}  // namespace
}  // namespace ladder::reports
