#include "reports/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "reports/csv.hpp"
#include "reports/files.hpp"
#include "reports/report.hpp"
#include "roofline/number.hpp"

namespace ladder::reports {
namespace {

constexpr std::array text_columns{
    std::pair{"session", &Row::session}, std::pair{"utc", &Row::utc},         std::pair{"kind", &Row::kind},
    std::pair{"rung", &Row::rung},       std::pair{"build", &Row::build},     std::pair{"backend", &Row::backend},
    std::pair{"case", &Row::case_name},  std::pair{"grid", &Row::grid},       std::pair{"precision", &Row::precision},
    std::pair{"tuning", &Row::tuning},   std::pair{"outcome", &Row::outcome}, std::pair{"reason", &Row::reason},
    std::pair{"device", &Row::device},   std::pair{"key", &Row::key}};

constexpr std::array count_columns{std::pair{"round", &Row::round}, std::pair{"cells", &Row::cells},
                                   std::pair{"threads", &Row::threads}, std::pair{"check_steps", &Row::check_steps},
                                   std::pair{"steps", &Row::steps}};

constexpr std::array error_columns{std::pair{"population_error", &Row::population_error},
                                   std::pair{"tolerance", &Row::tolerance}, std::pair{"history_error", &Row::history_error}};

constexpr std::array quantity_columns{std::pair{"seconds", &Row::seconds},
                                      std::pair{"updates_per_second", &Row::updates_per_second},
                                      std::pair{"bytes_per_update_model", &Row::bytes_per_update_model},
                                      std::pair{"bytes_per_update_minimum", &Row::bytes_per_update_minimum},
                                      std::pair{"flops_per_update", &Row::flops_per_update},
                                      std::pair{"footprint_bytes", &Row::footprint_bytes}};

/// Columns that stores of older versions do not have.
constexpr std::array later_text_columns{std::pair{"affinity", &Row::affinity}, std::pair{"pages", &Row::pages},
                                        std::pair{"gpu_throttle", &Row::gpu_throttle},
                                        std::pair{"suspicious", &Row::suspicious}};

constexpr std::array later_number_columns{std::pair{"other_load", &Row::other_load},
                                          std::pair{"steal", &Row::steal},
                                          std::pair{"involuntary_switches", &Row::involuntary_switches},
                                          std::pair{"cpu_mhz", &Row::cpu_mhz},
                                          std::pair{"gpu_mhz", &Row::gpu_mhz},
                                          std::pair{"gpu_celsius", &Row::gpu_celsius},
                                          std::pair{"gpu_watts", &Row::gpu_watts}};

constexpr std::array<std::string_view, 4> kinds{"check", "sample", "twin", "ceiling"};
constexpr std::array<std::string_view, 6> outcomes{"ok", "wrong", "skipped", "failed", "crashed", "timeout"};

template <std::size_t N>
void accept(const CsvFile& file, const Row& row, const char* column, const std::string& value,
            const std::array<std::string_view, N>& accepted) {
  if (std::ranges::find(accepted, value) != accepted.end()) return;
  throw InputError(file.path(), row.line,
                   fmt::format("column '{}' is '{}'; accepted: {}", column, value, fmt::join(accepted, ", ")));
}

/// What a machine may have measured; beyond that, products of two columns would not be numbers any more.
constexpr double smallest = 1e-30;
constexpr double largest = 1e30;

void accept(const CsvFile& file, const Row& row, const char* column, double value) {
  if (std::isnan(value) || value == 0 || (value >= smallest && value <= largest)) return;
  throw InputError(
      file.path(), row.line,
      fmt::format("column '{}' is '{}'; accepted: 0, or a number from {} to {}", column, value, smallest, largest));
}

void accept(const CsvFile& file, const Row& row, const char* column, std::int64_t value) {
  if (value >= 0) return;
  throw InputError(file.path(), row.line, fmt::format("column '{}' is '{}'; accepted: an integer from 0", column, value));
}

void validate(const CsvFile& file, const Row& row) {
  accept(file, row, "kind", row.kind, kinds);
  accept(file, row, "outcome", row.outcome, outcomes);
  if (std::ranges::find(numbers, row.precision, &Number::name) == numbers.end())
    throw InputError(file.path(), row.line,
                     fmt::format("column 'precision' is '{}'; accepted: {}", row.precision, fmt::join(number_names(), ", ")));
  for (const auto& [column, member] : count_columns)
    accept(file, row, column, row.*member);
  for (const auto& [column, member] : quantity_columns)
    accept(file, row, column, row.*member);
  if (row.kind != "check" && row.ok() && !(row.updates_per_second > 0)) {
    throw InputError(
        file.path(), row.line,
        fmt::format("column 'updates_per_second' is '{}'; accepted in an ok row: a number above 0", row.updates_per_second));
  }
  if (row.kind != "check" && row.ok() && row.cells == 0)
    throw InputError(file.path(), row.line, "column 'cells' is '0'; accepted in an ok row: an integer from 1");
  if ((row.kind == "sample" || row.kind == "twin") && row.ok()) {
    const double updates = static_cast<double>(row.cells) * static_cast<double>(row.steps);
    if (!(std::abs(row.updates_per_second * row.seconds / updates - 1) <= 1e-6))
      throw InputError(file.path(), row.line,
                       fmt::format("column 'updates_per_second' is '{}', but {} cells, {} steps and {} s give {}",
                                   row.updates_per_second, row.cells, row.steps, row.seconds, updates / row.seconds));
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

std::int64_t Row::workers() const {
  constexpr std::string_view name = "processes=";
  std::int64_t processes = 1;
  if (const auto at = placement.find(name); at != std::string::npos)
    std::from_chars(placement.data() + at + name.size(), placement.data() + placement.size(), processes);
  return std::max<std::int64_t>(1, processes) * std::max<std::int64_t>(1, threads);
}

std::vector<std::string> number_names() {
  std::vector<std::string> names;
  for (const Number& number : numbers)
    names.emplace_back(number.name);
  return names;
}

RowFile read_rows(const std::filesystem::path& path) { return parse_rows(path, read_whole(path)); }

RowFile parse_rows(const std::filesystem::path& path, std::string_view text) {
  const CsvFile file = CsvFile::parse(path, text);
  const auto texts = locate(file, text_columns);
  const auto counts = locate(file, count_columns);
  const auto errors = locate(file, error_columns);
  const auto quantities = locate(file, quantity_columns);
  const bool is_older = !file.has(later_text_columns.front().first);
  RowFile result{path, file.header(), {}, file.is_truncated()};
  result.rows.reserve(file.records().size());
  for (const CsvRecord& record : file.records()) {
    Row row;
    row.line = record.line;
    for (const auto& [column, member] : texts)
      row.*member = record.fields[column];
    for (const auto& [column, member] : counts)
      row.*member = file.integer(record, column);
    for (const auto& [column, member] : errors)
      row.*member = file.number(record, column);
    for (const auto& [column, member] : quantities)
      row.*member = file.number(record, column);
    for (const auto& [column, member] : later_text_columns)
      if (!is_older) row.*member = record.fields[file.column(column)];
    if (file.has("placement")) row.placement = record.fields[file.column("placement")];
    for (const auto& [column, member] : later_number_columns)
      row.*member = is_older ? std::numeric_limits<double>::quiet_NaN() : file.number(record, file.column(column));
    validate(file, row);
    row.fields = record.fields;
    result.rows.push_back(std::move(row));
  }
  return result;
}

std::string to_csv(const std::vector<const RowFile*>& files, const std::vector<const Row*>& rows) {
  std::vector<std::string> columns;
  for (const RowFile* file : files) {
    for (const std::string& column : file->columns)
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  }
  std::string out = "file,line";
  for (const std::string& column : columns)
    out += ',' + csv_text(column);
  out += '\n';
  const std::set<const Row*> wanted(rows.begin(), rows.end());
  for (const RowFile* file : files) {
    std::vector<std::size_t> places;  // of each column in this file; beyond its fields where it lacks one
    for (const std::string& column : columns)
      places.push_back(static_cast<std::size_t>(std::ranges::find(file->columns, column) - file->columns.begin()));
    const std::string name = csv_text(file->path.filename().string());
    for (const Row& row : file->rows) {
      if (!wanted.contains(&row)) continue;
      out += fmt::format("{},{}", name, row.line);
      for (const std::size_t place : places)
        out += ',' + (place < row.fields.size() ? csv_text(row.fields[place]) : "");
      out += '\n';
    }
  }
  return out;
}

}  // namespace ladder::reports
