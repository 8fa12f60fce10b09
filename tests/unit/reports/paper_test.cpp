// The publication's values: which are accepted, and that no accepted value makes a figure endless.
#include "reports/paper.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Experiments;
using test::input_error;

const std::string paper_header = "item,label,case,quantity,value,unit,where\n";

TEST(Paper, HoldsNumbersWhoseProductsAreNumbers) {
  EXPECT_EQ(Paper("paper.csv", paper_header + "t,a,c,q,-1e30,s,I\n").value("a", "c", "q"), -1e30);
  EXPECT_EQ(Paper("paper.csv", paper_header + "t,a,c,q,0,s,I\n").value("a", "c", "q"), 0);
  for (const char* value : {"1e31", "-1e31", "1e-31", "inf", "nan", ""})
    EXPECT_TRUE(contains(input_error([&] { Paper("paper.csv", paper_header + "t,a,c,q," + value + ",s,I\n"); }),
                         "paper.csv:2: column 'value' is '" + std::string(value) + "'; accepted: 0, or a number"));
}

TEST(Paper, MayHoldNumbersThatALogarithmicAxisCannotShow) {
  const Experiments e;
  e.write(
      "study.toml",
      "title = \"t\"\npaper = \"paper.csv\"\n"
      "[[report]]\nkind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"x\", paper = \"a\" }, { label = \"y\", paper = "
      "\"b\" }]\n"
      "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\npaper = [\"a\", \"b\"]\n"
      "[[report]]\nkind = \"stream\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"x-inf\", \"x-nan\", \"x-0\"]\npaper = [\"a\"]\n");
  e.write("paper.csv",
          paper_header +
              "t,a,box-4,seconds,2,s,I\nt,a,box-4,steps,0,,I\nt,b,box-4,seconds,-2,s,I\nt,b,box-4,steps,10,,I\n"
              "t,a,,intensity,-1,,I\nt,a,box-4,bandwidth,-1,,I\nt,b,,intensity,0,,I\nt,b,box-4,bandwidth,1,,I\n"
              "t,a,x-inf,stream_fraction,50,%,I\nt,a,x-nan,stream_fraction,50,%,I\nt,a,x-0,stream_fraction,50,%,I\n");
  e.write_rows("");
  EXPECT_NO_THROW((void)e.report());
}

}  // namespace
}  // namespace ladder::reports
