#include "reports/data_sheet.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/chart.hpp"

namespace ladder::reports {

double data_sheet_bandwidth(std::string_view device) {
  static constexpr std::pair<std::string_view, double> devices[] = {
      {"NVIDIA A100-SXM4-40GB", 1555e9},  // NVIDIA A100 Tensor Core GPU data sheet
      {"NVIDIA A100-SXM4-80GB", 2039e9},  // the same
      {"NVIDIA H100 80GB HBM3", 3350e9},  // NVIDIA H100 Tensor Core GPU data sheet, H100 SXM
      {"NVIDIA H200", 4800e9},            // NVIDIA H200 Tensor Core GPU data sheet
      {"Tesla V100-SXM2-16GB", 900e9},    // NVIDIA V100 Tensor Core GPU data sheet, V100 SXM2
  };
  const auto found = std::ranges::find(devices, device, &std::pair<std::string_view, double>::first);
  return found == std::end(devices) ? unknown : found->second;
}

double data_sheet_bandwidth(const Row& row) { return data_sheet_bandwidth(row.device) * static_cast<double>(row.devices()); }

}  // namespace ladder::reports
