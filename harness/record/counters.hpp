#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

/// The counters that `ladder profile --details` adds to a profile. This is their only definition: the profiler requests these
/// metrics, the store has a column for each of them in this order, and reports find them by name. New counters come last and
/// start a new version of the columns (last_columns() in profiles.cpp).
namespace ladder {

struct DetailedCounter {
  std::string_view name;    ///< of the column
  std::string_view metric;  ///< Nsight Compute's name for compute capability 9.0
  std::string_view unit;
  std::string_view meaning;

  /// Percentages are stored as fractions of 1.
  [[nodiscard]] constexpr bool is_percentage() const { return metric.find(".pct_of_peak") != std::string_view::npos; }
  /// Whether launches are combined by a time-weighted mean; other counters are added up.
  [[nodiscard]] constexpr bool is_mean() const { return is_percentage() || metric.ends_with(".per_second"); }
};

inline constexpr std::array detailed_counters = {
    DetailedCounter{"sm_throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "",
                    "utilization of the multiprocessors' busiest unit; like other fractions of a peak, a mean over time"},
    DetailedCounter{"memory_throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "",
                    "utilization of the memory system's busiest unit"},
    DetailedCounter{"l1_throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active", "",
                    "utilization of the L1 cache's busiest unit while the cache is active"},
    DetailedCounter{"l2_throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed", "",
                    "utilization of the L2 cache's busiest unit"},
    DetailedCounter{"dram_throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "",
                    "utilization of DRAM's busiest unit"},
    DetailedCounter{"elapsed_cycles", "sm__cycles_elapsed.max", "cycles",
                    "cycles of the multiprocessors' clock in all launches"},
    DetailedCounter{"active_cycles", "sm__cycles_active.avg", "cycles",
                    "cycles in which a multiprocessor had a warp in all launches; mean over multiprocessors"},
    DetailedCounter{"sm_frequency", "sm__cycles_elapsed.avg.per_second", "Hz",
                    "clock frequency of the multiprocessors, mean over time"},
    DetailedCounter{"dram_frequency", "dram__cycles_elapsed.avg.per_second", "Hz", "clock frequency of DRAM, mean over time"},
    DetailedCounter{"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "",
                    "passes through shared memory, for reads and writes"},
    DetailedCounter{"shared_throughput", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed", "",
                    "these as a fraction of the possible maximum"},
    DetailedCounter{"l1_local_load_requests", "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "",
                    "L1 cache: requests by warps to load from local memory"},
    DetailedCounter{"l1_local_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "",
                    "32-byte sectors of these requests"},
    DetailedCounter{"l1_local_load_hits", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", "",
                    "sectors among these found in the L1 cache"},
    DetailedCounter{"l1_local_store_requests", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "",
                    "the same for stores to local memory"},
    DetailedCounter{"l1_local_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "", "sectors of these requests"},
    DetailedCounter{"l1_local_store_hits", "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum", "",
                    "hits among these sectors"},
    DetailedCounter{"l1_global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "",
                    "the same for loads from global memory"},
    DetailedCounter{"l1_global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "",
                    "sectors of these requests"},
    DetailedCounter{"l1_global_load_hits", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "",
                    "hits among these sectors"},
    DetailedCounter{"l1_global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "",
                    "the same for stores to global memory"},
    DetailedCounter{"l1_global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "",
                    "sectors of these requests"},
    DetailedCounter{"l1_global_store_hits", "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", "",
                    "hits among these sectors"},
    DetailedCounter{"l2_load_requests", "lts__t_requests_srcunit_tex_op_read.sum", "",
                    "L2 cache: read requests from L1 caches"},
    DetailedCounter{"l2_load_sectors", "lts__t_sectors_srcunit_tex_op_read.sum", "", "32-byte sectors of these requests"},
    DetailedCounter{"l2_load_hits", "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", "",
                    "sectors among these found in the L2 cache"},
    DetailedCounter{"l2_store_requests", "lts__t_requests_srcunit_tex_op_write.sum", "", "write requests from L1 caches"},
    DetailedCounter{"l2_store_sectors", "lts__t_sectors_srcunit_tex_op_write.sum", "", "sectors of these requests"},
    DetailedCounter{"l2_store_hits", "lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum", "", "hits among these sectors"},
    DetailedCounter{"l2_from_l1_requests", "lts__t_requests_srcunit_tex.sum", "",
                    "all requests from L1 caches, including atomic operations"},
    DetailedCounter{"l2_from_l1_sectors", "lts__t_sectors_srcunit_tex.sum", "", "sectors of these requests"},
    DetailedCounter{"l2_from_l1_hits", "lts__t_sectors_srcunit_tex_lookup_hit.sum", "", "hits among these sectors"},
    DetailedCounter{"l2_fabric_requests", "lts__t_requests_srcunit_ltcfabric.sum", "",
                    "requests from the other partition of the L2 cache"},
    DetailedCounter{"l2_fabric_sectors", "lts__t_sectors_srcunit_ltcfabric.sum", "", "sectors of these requests"},
    DetailedCounter{"l2_fabric_hits", "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum", "", "hits among these sectors"},
    DetailedCounter{"l2_requests", "lts__t_requests.sum", "", "all requests to the L2 cache"},
    DetailedCounter{"l2_sectors", "lts__t_sectors.sum", "", "sectors of these requests"},
    DetailedCounter{"l2_hits", "lts__t_sectors_lookup_hit.sum", "", "hits among these sectors"}};

/// Values of the detailed counters in the order above; NaN if a counter was not read.
using DetailedValues = std::array<double, detailed_counters.size()>;

constexpr DetailedValues unknown_details() {
  DetailedValues values{};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  return values;
}

/// Index of a detailed counter; the number of counters if the name is unknown.
constexpr std::size_t place_of_detail(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(detailed_counters, name, &DetailedCounter::name) -
                                  detailed_counters.begin());
}

}  // namespace ladder
