// A study.toml, as read by the harness and by reports, with a section for each [[report]] block for a machine without results.
#include "harness/study/study.hpp"

#include "reports/chapters.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/study.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

LADDER_FUZZ(input) {
  ladder::Study study;
  if (accepts([&] { study = ladder::parse_study("study/study.toml", input); })) {
    require(study.rounds >= 1 && study.sample_seconds > 0 && study.timeout_seconds > 0, "numbers are in range");
    for (const ladder::MatrixBlock& block : study.matrix)
      require(!block.rungs.empty() && !block.cases.empty() && block.line > 0, "a matrix has rungs and cases");
  }

  static const reports::Paper paper("paper.csv",
                                    "item,label,case,quantity,value,unit,where\n"
                                    "t,a,box-4,seconds,2,s,I\nt,a,,intensity,1.5,flop/B,I\nt,b,box-4,bandwidth,1e9,GB/s,I\n"
                                    "t,b,,best_wx,1e30,,I\nt,c,box-4,seconds,-2,s,I\nt,c,box-4,steps,0,,I\n");
  accepts([&] {
    const ladder::Parameters file = ladder::parse_parameters("study/study.toml", input);
    reports::Study whole = study_of(paper, file.tables_if_any("report"));
    whole.title = file.text("title", "");
    whole.citation = file.text("citation", "");
    whole.question = file.text("question", "");
    whole.source = file.text("source", "");
    whole.findings = file.tables_if_any("finding");
    reports::make_chapters(whole);
  });
}
