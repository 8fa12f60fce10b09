#include "program/campaign.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/run.hpp"
#include "harness/study/campaign.hpp"
#include "reports/document.hpp"

namespace ladder {
namespace {

using Clock = std::chrono::steady_clock;

/// Reserve at the end of the budget, in which nothing starts, so that the results can be fetched: a minute, or a quarter of
/// a short budget. Anything still running halfway through it is stopped.
double reserve_seconds(double budget_seconds) { return std::min(60., budget_seconds / 4); }

/// A part of the campaign and what is left of it.
struct PartLeft {
  std::string name;
  WorkLeft left;

  [[nodiscard]] bool is_done() const { return left.checks + left.samples + left.pictures == 0; }
};

void print_left(const std::vector<PartLeft>& parts) {
  const auto count = [](auto member) { return [member](const PartLeft& part) { return std::to_string(part.left.*member); }; };
  double seconds = 0;
  bool is_known = true;
  for (const PartLeft& part : parts) {
    is_known = is_known && std::isfinite(part.left.seconds);
    if (std::isfinite(part.left.seconds)) seconds += part.left.seconds;
  }
  print_out("{}about {}{} left; sample counts are upper limits\n",
            to_text(reports::tabulate("left", "",
                                      {{"left", "", &PartLeft::name},
                                       {"checks", "", count(&WorkLeft::checks)},
                                       {"samples", "", count(&WorkLeft::samples)},
                                       {"pictures", "", count(&WorkLeft::pictures)},
                                       {"time", "",
                                        [](const PartLeft& part) {
                                          return std::isfinite(part.left.seconds) ? duration_text(part.left.seconds)
                                                                                  : "unknown";
                                        }}},
                                      parts)),
            duration_text(seconds), is_known ? "" : ", and the parts with an unknown time,");
}

}  // namespace

int run_campaign(const Context& context, const RunCommandOptions& options) {
  const auto begin = Clock::now();
  const Campaign campaign = read_campaign(options.campaign);
  Catalogue catalogue(context.bin);
  std::vector<Study> studies;
  for (const CampaignPart& part : campaign.parts)
    studies.push_back(study_of(options.campaign, part, context.experiments));
  RunOptions how{.root = context.root,
                 .machine = options.machine.empty() ? campaign.machine : options.machine,
                 .command = context.command};
  if (const double budget = options.budget_seconds; budget > 0) {
    how.deadline =
        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget - reserve_seconds(budget)));
    alarm(static_cast<unsigned>(std::ceil(budget - reserve_seconds(budget) / 2)));
  }
  const auto seconds_left = [&] {
    return how.deadline ? std::chrono::duration<double>(*how.deadline - Clock::now()).count() : INFINITY;
  };
  int worst = exit_ok;
  double working = 0, checking = 0;
  try {
    for (std::size_t i = 0; i < studies.size(); ++i) {
      const CampaignPart& part = campaign.parts[i];
      how.rounds = part.rounds;
      if (seconds_left() > part.needs_seconds) {
        const RunSummary summary = in_part(options.campaign, part, [&] { return run_study(studies[i], catalogue, how); });
        working += summary.working_seconds;
        checking += summary.check_seconds;
        if (!summary.measured.empty())
          print_out("{}: {} rows in {}\n", part.name(), summary.measured.size(), duration_text(summary.seconds));
        if (summary.failed > 0) {
          print_out("{}: {} of {} cells failed; the rows say why\n", part.name(), summary.failed, summary.cells);
          worst = std::max<int>(worst, exit_check_failed);
        }
        if (summary.not_run > 0) worst = exit_bad_input;
      }
      flush_output();
    }
  } catch (const Interrupted&) {
    if (!take_alarm()) throw;
    print_err("the time is up: what still ran was stopped\n");
  }
  alarm(0);
  take_alarm();  // it may have come after the last part
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  print_out("{:.0f} % of {} spent on measurements and pictures, {:.0f} % on checks\n", 100 * (working - checking) / seconds,
            duration_text(seconds), 100 * checking / seconds);
  std::vector<PartLeft> open;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    how.rounds = campaign.parts[i].rounds;
    PartLeft left{campaign.parts[i].name(), work_left(studies[i], catalogue, how)};
    if (!left.is_done()) open.push_back(std::move(left));
  }
  if (open.empty())
    print_out("all parts are done\n");
  else
    print_left(open);
  return worst;
}

}  // namespace ladder
