// Reading the output of Nsight Compute: its log lines, units and thousands separators, and unreadable output.
#include "harness/run/ncu.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "harness/record/csv.hpp"
#include "harness/run/store.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::contains;
using test::Folder;
using test::input_error;

constexpr const char* kernel_columns =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC")";
constexpr const char* metric_columns =
    R"(,"dram__bytes_read.sum","dram__bytes_write.sum","gpu__time_duration.sum","l1tex__t_bytes.sum","launch__registers_per_thread","lts__t_bytes.sum","sm__maximum_warps_per_active_cycle_pct","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio","smsp__average_warps_issue_stalled_wait_per_issue_active.ratio","smsp__sass_thread_inst_executed_op_dfma_pred_on.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum","smsp__thread_inst_executed_pred_on.sum")";
constexpr const char* base_units =
    R"("","","","","","","","","","","","byte","byte","ns","byte","register/thread","byte","%","%","inst","inst","inst","inst","inst")";

std::string header() { return std::string(kernel_columns) + metric_columns + "\n"; }

std::string launch(int id, const std::string& kernel, const std::string& metrics) {
  return "\"" + std::to_string(id) + R"(","4711","default","127.0.0.1",")" + kernel +
         R"x(","1","13","(128, 1, 1)","(8, 1024, 1)","0","9.0",)x" + metrics + "\n";
}

/// Two steps of a rung with two kernels, as written by `ncu --csv --page raw --print-units base`.
std::string two_steps() {
  return "==PROF== Connected to process 4711 (/a folder/default)\n"
         "==PROF== Profiling \"accelerate\" - 0: 0%....50%....100% - 9 passes\n"
         "==PROF== Profiling \"timestep\" - 1: 0%....50%....100% - 9 passes\n"
         "==PROF== Disconnected from process 4711\n" +
         header() + base_units + "\n" +
         launch(0, "accelerate",
                R"("36,864","4,096","2,000","40,000","24","50,000","75","12.5","9.5","1.25","0","1,000","20,000")") +
         launch(
             1, "timestep",
             R"("37,748,736","30,000,000","18,000","80,000,000","40","76,000,000","87.5","62.5","20.5","2.25","0","25,165,824","209,715,200")") +
         launch(
             2, "timestep",
             R"("37,748,736","31,000,000","22,000","80,000,000","40","76,000,000","87.5","82.5","10.5","1.25","0","25,165,824","209,715,200")");
}

TEST(Ncu, ReadsATableBetweenItsOwnLines) {
  const auto launches = parse_ncu(two_steps());
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].kernel, "accelerate");
  EXPECT_EQ(launches[1].metrics.at("dram__bytes_read.sum"), 37748736);
  EXPECT_DOUBLE_EQ(launches[1].metrics.at("gpu__time_duration.sum"), 18e-6);
}

TEST(Ncu, SumsUpLaunchesByKernelAndTogether) {
  const auto launches = parse_ncu(two_steps());
  const auto kernels = by_kernel(launches);
  ASSERT_EQ(kernels.size(), 2u);
  const KernelProfile& step = kernels[1];
  EXPECT_EQ(step.kernel, "timestep");
  EXPECT_EQ(step.launches, 2);
  EXPECT_EQ(step.dram_bytes_read, 2 * 37748736.0);
  EXPECT_EQ(step.dram_bytes_written, 61e6);
  EXPECT_EQ(step.dram_bytes(), 2 * 37748736.0 + 61e6);
  EXPECT_DOUBLE_EQ(step.seconds, 40e-6);
  EXPECT_DOUBLE_EQ(step.occupancy, (18 * 0.625 + 22 * 0.825) / 40) << "weighted by the time of the launches";
  EXPECT_DOUBLE_EQ(step.occupancy_limit, 0.875);
  EXPECT_DOUBLE_EQ(step.stalls.at("long_scoreboard"), (18 * 20.5 + 22 * 10.5) / 40);
  EXPECT_DOUBLE_EQ(step.fma_instructions / step.instructions, 0.12);
  EXPECT_EQ(kernels[0].registers_per_thread, 24);

  const KernelProfile all = together(launches);
  EXPECT_EQ(all.launches, 3);
  EXPECT_EQ(all.kernel, "");
  EXPECT_EQ(all.dram_bytes_read, 2 * 37748736.0 + 36864);
  EXPECT_EQ(all.registers_per_thread, 40) << "of the kernel that takes the most time";
  EXPECT_DOUBLE_EQ(all.seconds, 42e-6);
}

TEST(Ncu, ReadsUnitsThatAreScaled) {
  const std::string units =
      R"("","","","","","","","","","","","Mbyte","Kbyte","usecond","Gbyte","register/thread","byte","%","%","inst","inst","inst","inst","inst")";
  const auto launches = parse_ncu(header() + units + "\n" +
                                  launch(0, "k", R"("37.75","1,234.5","2.5","0.08","40","7","100","50","1","1","0","1","2")"));
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_DOUBLE_EQ(launches[0].metrics.at("dram__bytes_read.sum"), 37.75e6);
  EXPECT_DOUBLE_EQ(launches[0].metrics.at("dram__bytes_write.sum"), 1234.5e3);
  EXPECT_DOUBLE_EQ(launches[0].metrics.at("gpu__time_duration.sum"), 2.5e-6);
  EXPECT_DOUBLE_EQ(launches[0].metrics.at("l1tex__t_bytes.sum"), 80e6);
}

TEST(Ncu, LeavesOutWhatCouldNotBeRead) {
  const std::string units =
      R"("","","","","","","","","","","","byte","furlong","ns","byte","register/thread","byte","%","%","inst","inst","inst","inst","inst")";
  const auto launches =
      parse_ncu(header() + units + "\n" + launch(0, "k", R"("10","20","30","n/a","40","","n/a","nan","-1","1","0","1","2")"));
  const KernelProfile p = together(launches);
  EXPECT_EQ(p.dram_bytes_read, 10);
  EXPECT_TRUE(std::isnan(p.dram_bytes_written)) << "with an unknown unit";
  EXPECT_TRUE(std::isnan(p.l1_bytes));
  EXPECT_TRUE(std::isnan(p.l2_bytes));
  EXPECT_TRUE(std::isnan(p.occupancy));
  EXPECT_TRUE(std::isnan(p.occupancy_limit));
  EXPECT_FALSE(p.stalls.contains("long_scoreboard"));
  EXPECT_EQ(p.stalls.at("wait"), 1);
}

TEST(Ncu, ReadsKernelNamesWithCommasAndQuotes) {
  const auto launches =
      parse_ncu(header() + base_units + "\n" +
                launch(0, R"(void k<float, (int)2>(T1 *, ""x"")", R"("1","1","1","1","1","1","1","1","1","1","1","1","1")"));
  EXPECT_EQ(launches.at(0).kernel, R"(void k<float, (int)2>(T1 *, "x")");
}

TEST(Ncu, SaysWhatIsWrongWithATable) {
  EXPECT_TRUE(contains(input_error([] { parse_ncu(""); }), "profiled no kernel"));
  EXPECT_TRUE(contains(input_error([] { parse_ncu("==WARNING== No kernels were profiled.\n"); }), "profiled no kernel"));
  EXPECT_TRUE(contains(input_error([] { parse_ncu(header() + base_units + "\n"); }), "profiled no kernel"));
  EXPECT_TRUE(contains(input_error([] { parse_ncu("\"ID\",\"Kernel\"\n\"\",\"\"\n"); }), "lacks the column 'Kernel Name'"));
  EXPECT_TRUE(contains(input_error([] { parse_ncu(header() + "\"0\",\"1\"\n"); }), "fields"));
  const std::string whole = two_steps();
  EXPECT_TRUE(contains(input_error([&] { parse_ncu(whole.substr(0, whole.size() - 30)); }), "a quote is not closed"));
  const std::string no_units = header() + whole.substr(whole.find("\"0\",\"4711\""));
  EXPECT_TRUE(contains(input_error([&] { parse_ncu(no_units); }), "units"));
}

TEST(Ncu, KnowsWhatItIsToldAtAFailure) {
  EXPECT_TRUE(
      is_permission_error("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                          "Performance Counters on the target device 0."));
  EXPECT_FALSE(is_permission_error("==ERROR== The application returned an error code (2).\n"));
  const auto metrics = ncu_metrics(true);
  const auto unknown =
      unknown_metrics("==PROF== lts__t_bytes.sum\n==ERROR== Failed to find metric lts__t_bytes.sum\n", metrics);
  EXPECT_EQ(unknown, std::vector<std::string>{"lts__t_bytes.sum"});
  EXPECT_EQ(unknown_metrics("==ERROR== Failed to find metric lts__t_bytes\n", metrics).size(), 1u) << "without its .sum";
  EXPECT_TRUE(unknown_metrics("==ERROR== Failed to find metric my_lts__t_bytes_too.sum\n", metrics).empty());
  EXPECT_EQ(unknown_metrics("==ERROR== Failed to find metrics: lts__t_requests.sum, lts__t_sectors.sum.\n", metrics),
            (std::vector<std::string>{"lts__t_requests.sum", "lts__t_sectors.sum"}));
  const std::string of_peak = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed";
  EXPECT_EQ(unknown_metrics("==ERROR== Failed to find metric " + of_peak + "\n", metrics), std::vector<std::string>{of_peak})
      << "and not the sum that it is a fraction of";
  EXPECT_TRUE(unknown_metrics("==PROF== Profiling \"k\" with lts__t_bytes.sum\n", metrics).empty());
  EXPECT_EQ(ncu_version("NVIDIA (R) Nsight Compute Command Line Profiler\nCopyright (c) 2018-2025 NVIDIA Corporation\n"
                        "Version 2025.3.1.0 (build 36398880) (public-release)\n"),
            "2025.3.1.0");
  EXPECT_EQ(ncu_version("GNU bash\n"), "");
}

double detail(const KernelCounters& counters, const char* name) { return counters.details.at(place_of_detail(name)); }

/// A table with these metrics, a row of units, and two launches.
std::string detailed(const std::vector<std::array<std::string, 4>>& metrics) {
  std::string head = kernel_columns;
  std::string units = R"("","","","","","","","","","","")";
  std::string first;
  std::string second;
  for (const auto& [metric, unit, one, two] : metrics) {
    head += ",\"" + metric + "\"";
    units += ",\"" + unit + "\"";
    first += (first.empty() ? "\"" : ",\"") + one + "\"";
    second += (second.empty() ? "\"" : ",\"") + two + "\"";
  }
  return head + "\n" + units + "\n" + launch(0, "k", first) + launch(1, "k", second);
}

TEST(Ncu, CombinesTheDetailsOfLaunches) {
  const auto launches =
      parse_ncu(detailed({{"gpu__time_duration.sum", "ns", "1,000", "3,000"},
                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "", "0", "1,024"},
                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed", "%", "0", "0.08"},
                          {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", "5,110", "5,110"},
                          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "100", "300"},
                          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "sector", "50", "250"},
                          {"sm__cycles_active.avg", "cycle", "800.5", "2,000"},
                          {"sm__cycles_elapsed.max", "cycle", "1,000", "3,000"},
                          {"sm__cycles_elapsed.avg.per_second", "cycle/usecond", "1,000", "1,800"},
                          {"dram__cycles_elapsed.avg.per_second", "Ghz", "2", "2.6"},
                          {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "4", "8"}}));
  const KernelProfile all = together(launches);
  EXPECT_TRUE(all.has_details());
  EXPECT_EQ(detail(all, "l1_global_load_requests"), 10220) << "a sum";
  EXPECT_EQ(detail(all, "l1_global_load_hits") / detail(all, "l1_global_load_sectors"), 0.75);
  EXPECT_EQ(detail(all, "active_cycles"), 2800.5);
  EXPECT_EQ(detail(all, "elapsed_cycles"), 4000);
  EXPECT_EQ(detail(all, "shared_wavefronts"), 1024);
  EXPECT_DOUBLE_EQ(detail(all, "shared_throughput"), 0.0006) << "a mean, weighted by time";
  EXPECT_DOUBLE_EQ(detail(all, "sm_throughput"), 0.07);
  EXPECT_DOUBLE_EQ(detail(all, "sm_frequency"), 1.6e9);
  EXPECT_DOUBLE_EQ(detail(all, "dram_frequency"), 2.45e9);
  EXPECT_TRUE(std::isnan(detail(all, "l2_requests"))) << "not in the table";
  EXPECT_FALSE(together(parse_ncu(two_steps())).has_details());
}

TEST(Ncu, LosesNoOtherMetricToOneThatItCannotRead) {
  const auto launches = parse_ncu(detailed({{"gpu__time_duration.sum", "ns", "1,000", "1,000"},
                                            {"lts__t_requests.sum", "furlong", "1", "1"},
                                            {"lts__t_sectors.sum", "sector", "n/a", "8"},
                                            {"lts__t_sectors_lookup_hit.sum", "sector", "4", "6"}}));
  EXPECT_EQ(launches[0].unread.at("lts__t_requests.sum"), "1 furlong");
  EXPECT_EQ(launches[0].unread.at("lts__t_sectors.sum"), "n/a sector");
  const KernelProfile all = together(launches);
  EXPECT_TRUE(std::isnan(detail(all, "l2_requests")));
  EXPECT_TRUE(std::isnan(detail(all, "l2_sectors"))) << "for a single launch";
  EXPECT_EQ(detail(all, "l2_hits"), 10);
}

TEST(Ncu, IsAskedForDetailsOnRequest) {
  const auto few = ncu_metrics(false);
  const auto all = ncu_metrics(true);
  EXPECT_EQ(all.size(), few.size() + detailed_counters.size());
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size()) << "each once";
}

TEST(Ncu, NamesStallsLongestFirst) {
  EXPECT_EQ(stalls_text({{"wait", 1.25}, {"long_scoreboard", 20.5}, {"drain", 0.001}}), "long_scoreboard=20.5;wait=1.25");
  EXPECT_EQ(stalls_text({}), "");
}

Profile row_of(const std::vector<KernelLaunch>& launches) {
  Profile row;
  row.session = "s1";
  row.utc = "2026-11-21T03:15:00Z";
  row.kind = "step";
  row.rung = "d2q9/cuda/90, \"quoted\"";
  row.precision = "f32";
  row.cells = 1024 * 1024;
  row.steps = 2;
  set_counters(row, together(launches));
  return row;
}

TEST(ProfileStore, CountsBytesAnUpdate) {
  const Profile row = row_of(parse_ncu(two_steps()));
  EXPECT_DOUBLE_EQ(row.per_update(row.dram_bytes_read), (2 * 37748736.0 + 36864) / 2097152);
  const auto file = CsvFile::parse("f", csv_header<Profile>() + "\n" + csv_line(row) + "\n");
  ASSERT_EQ(file.records().size(), 1u);
  const auto field = [&](const char* name) { return file.records()[0].fields[file.column(name)]; };
  EXPECT_EQ(field("rung"), "d2q9/cuda/90, \"quoted\"");
  EXPECT_EQ(field("launches"), "3");
  EXPECT_EQ(field("bytes_per_update_model"), "") << "unknown";
  EXPECT_DOUBLE_EQ(file.number(file.records()[0], file.column("dram_bytes_per_update")),
                   (2 * 37748736.0 + 36864 + 61e6 + 4096) / 2097152);
}

TEST(ProfileStore, KeepsWhatIsAppendedAndDropsAHalfRow) {
  const Folder folder;
  const auto path = folder.path() / "results" / "here.profile.csv";
  const Profile row = row_of(parse_ncu(two_steps()));
  ProfileStore(path).append({row, row});
  const std::string once = csv_header<Profile>() + "\n" + csv_line(row) + "\n" + csv_line(row) + "\n";
  EXPECT_EQ(folder.read("results/here.profile.csv"), once);
  folder.write("results/here.profile.csv", once + "s1,half");
  ProfileStore(path).append({row});
  EXPECT_EQ(folder.read("results/here.profile.csv"), once + csv_line(row) + "\n");
}

/// A file of an older version, whose first missing column is `missing`.
void expect_later_columns(std::string_view missing) {
  const Folder folder;
  const auto path = folder.path() / "here.profile.csv";
  Profile row = row_of(parse_ncu(two_steps()));
  row.occupancy_limit = Profile::unknown;  // in a later column, too
  std::string header = csv_header<Profile>();
  const std::size_t end = header.find(fmt::format(",{},", missing));
  ASSERT_NE(end, std::string::npos);
  const auto fields = static_cast<std::size_t>(std::ranges::count(header.substr(end), ','));
  header.erase(end);
  std::string line = csv_line(row);
  ASSERT_TRUE(line.ends_with(std::string(fields, ',')));
  line.erase(line.size() - fields);
  folder.write("here.profile.csv", header + "\n" + line + "\n");
  const ProfileFile old = read_profiles(path);
  ASSERT_EQ(old.rows.size(), 1u);
  EXPECT_FALSE(old.rows[0].has_details());
  row.details[place_of_detail("elapsed_cycles")] = 17788;
  row.step_seconds = 2e-6;
  ProfileStore(path).append({row});
  EXPECT_EQ(folder.read("here.profile.csv"),
            csv_header<Profile>() + "\n" + line + std::string(fields, ',') + "\n" + csv_line(row) + "\n");
  EXPECT_EQ(detail(read_profiles(path).rows.at(1), "elapsed_cycles"), 17788);
  EXPECT_EQ(read_profiles(path).rows.at(1).step_seconds, 2e-6);
}

TEST(ProfileStore, AddsTheDetailsToAnOlderFile) { expect_later_columns(detailed_counters[0].name); }
TEST(ProfileStore, AddsTheTimesOfAStepToAnOlderFile) { expect_later_columns("step_seconds"); }

TEST(ProfileStore, IsWrittenByOneAtATimeAndRefusesOtherFiles) {
  const Folder folder;
  {
    const ProfileStore first(folder.path() / "here.profile.csv");
    EXPECT_TRUE(contains(input_error([&] { ProfileStore(folder.path() / "here.profile.csv"); }), "is writing this store"));
  }
  folder.write("other.csv", "a,b\n1,2\n");
  EXPECT_TRUE(contains(input_error([&] { ProfileStore(folder.path() / "other.csv"); }), "not a store of profiles"));
  EXPECT_EQ(folder.read("other.csv"), "a,b\n1,2\n");
}

}  // namespace
}  // namespace ladder
