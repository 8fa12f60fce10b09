#include "reports/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "reports/csv.hpp"
#include "reports/files.hpp"
#include "reports/report.hpp"
#include "reports/rows.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr std::array text_columns{std::pair{"session", &Profile::session},
                                  std::pair{"utc", &Profile::utc},
                                  std::pair{"kind", &Profile::kind},
                                  std::pair{"rung", &Profile::rung},
                                  std::pair{"build", &Profile::build},
                                  std::pair{"backend", &Profile::backend},
                                  std::pair{"case", &Profile::case_name},
                                  std::pair{"precision", &Profile::precision},
                                  std::pair{"tuning", &Profile::tuning},
                                  std::pair{"device", &Profile::device},
                                  std::pair{"executable", &Profile::executable},
                                  std::pair{"profiler", &Profile::profiler},
                                  std::pair{"replay", &Profile::replay},
                                  std::pair{"kernel", &Profile::kernel},
                                  std::pair{"stalls", &Profile::stalls_text}};

constexpr std::array count_columns{std::pair{"cells", &Profile::cells}, std::pair{"steps", &Profile::steps},
                                   std::pair{"launches", &Profile::launches}};

constexpr std::array number_columns{std::pair{"registers_per_thread", &Profile::registers_per_thread},
                                    std::pair{"seconds", &Profile::seconds},
                                    std::pair{"dram_bytes_read", &Profile::dram_bytes_read},
                                    std::pair{"dram_bytes_written", &Profile::dram_bytes_written},
                                    std::pair{"l2_bytes", &Profile::l2_bytes},
                                    std::pair{"l1_bytes", &Profile::l1_bytes},
                                    std::pair{"occupancy", &Profile::occupancy},
                                    std::pair{"instructions", &Profile::instructions},
                                    std::pair{"fma_instructions", &Profile::fma_instructions},
                                    std::pair{"bytes_per_update_model", &Profile::bytes_per_update_model},
                                    std::pair{"bytes_per_update_minimum", &Profile::bytes_per_update_minimum},
                                    std::pair{"flops_per_update", &Profile::flops_per_update},
                                    std::pair{"footprint_bytes", &Profile::footprint_bytes}};

/// What a counter may have counted; beyond that, ratios of two columns would not be numbers any more.
constexpr double smallest = 1e-30;
constexpr double largest = 1e30;

void validate(const CsvFile& file, const Profile& row) {
  const auto accept = [&](bool ok, const char* column, const auto& value, std::string_view accepted) {
    if (!ok) throw InputError(file.path(), row.line, fmt::format("column '{}' is '{}'; accepted: {}", column, value, accepted));
  };
  accept(row.kind == "kernel" || row.kind == "step", "kind", row.kind, "kernel, step");
  const auto precisions = number_names();
  accept(std::ranges::find(precisions, row.precision) != precisions.end(), "precision", row.precision, joined(precisions));
  for (const auto& [column, member] : count_columns)
    accept(row.*member > 0, column, row.*member, "an integer from 1");
  for (const auto& [column, member] : number_columns) {
    const double value = row.*member;
    accept(std::isnan(value) || value == 0 || (value >= smallest && value <= largest), column, value,
           "0, or a number from 1e-30 to 1e30");
  }
}

/// Positions of `columns` in the header of `file`, beside the members they fill.
template <class Columns>
auto locate(const CsvFile& file, const Columns& columns) {
  std::array<std::pair<std::size_t, typename Columns::value_type::second_type>, std::tuple_size_v<Columns>> found;
  std::ranges::transform(columns, found.begin(), [&](const auto& c) { return std::pair{file.column(c.first), c.second}; });
  return found;
}

}  // namespace

std::vector<std::pair<std::string, double>> Profile::stalls() const {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t start = 0; start < stalls_text.size();) {
    const std::size_t end = std::min(stalls_text.find(';', start), stalls_text.size());
    const std::string part = stalls_text.substr(start, end - start);
    start = end + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    double value = 0;
    const auto [stop, error] = std::from_chars(part.data() + equals + 1, part.data() + part.size(), value);
    if (error == std::errc() && stop == part.data() + part.size() && value >= 0 && value <= largest)
      all.emplace_back(part.substr(0, equals), value);
  }
  return all;
}

ProfileFile read_profiles(const std::filesystem::path& path) { return parse_profiles(path, read_whole(path)); }

ProfileFile parse_profiles(const std::filesystem::path& path, std::string_view text) {
  const CsvFile file = CsvFile::parse(path, text);
  const auto texts = locate(file, text_columns);
  const auto counts = locate(file, count_columns);
  const auto numbers = locate(file, number_columns);
  ProfileFile result{path, {}, file.is_truncated()};
  for (const CsvRecord& record : file.records()) {
    Profile row;
    row.line = record.line;
    for (const auto& [column, member] : texts)
      row.*member = record.fields[column];
    for (const auto& [column, member] : counts)
      row.*member = file.integer(record, column);
    for (const auto& [column, member] : numbers)
      row.*member = file.number(record, column);
    validate(file, row);
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace ladder::reports
