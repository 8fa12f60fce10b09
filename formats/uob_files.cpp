#include "formats/uob_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/input_file.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr int q = 9;
constexpr std::array fields = {"velocity along x", "velocity along y", "speed", "pressure"};
constexpr std::size_t pressure = 3;

/// Reads a result file line by line, and the numbers in a line, so that memory does not grow with the file. A link is refused:
/// it could lead to any file, even to one of an earlier run.
class Lines {
 public:
  Lines(const fs::path& path, std::int64_t expected) : name_(path.filename().string()), expected_(expected) {
    constexpr std::int64_t most_bytes_of_line = 512;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (!fs::exists(status)) throw BadResult(fmt::format("{} is not written", name_));
    if (!fs::is_regular_file(status)) throw BadResult(fmt::format("{} is not a regular file", name_));
    const auto bytes = fs::file_size(path, error);
    if (error || bytes > static_cast<std::uintmax_t>(expected * most_bytes_of_line + 4096))
      throw BadResult(fmt::format("{} has {} bytes, too many for {} lines", name_, bytes, expected));
    file_.open(path, std::ios::binary);
    if (!file_) throw BadResult(fmt::format("{} cannot be read", name_));
  }

  /// Begins the next line, which must exist and be complete.
  void next() {
    file_.getline(buffer_.data(), buffer_.size());
    if (file_.eof())
      throw BadResult(fmt::format("{} ends within line {}; accepted: {} whole lines", name_, number_ + 1, expected_));
    ++number_;
    line_ = left_ =
        std::string_view(buffer_.data(), static_cast<std::size_t>(std::max<std::streamsize>(1, file_.gcount()) - 1));
    if (!file_) throw BadResult(fmt::format("{}:{}: the line is too long: '{}'", name_, number_, shown(line_)));
  }

  double number(std::string_view what) {
    skip_blanks();
    if (left_.starts_with('+')) left_.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (error == std::errc::result_out_of_range)
      value = std::strtod(std::string(left_.data(), stop).c_str(), nullptr);  // 0 or infinite
    else if (error != std::errc{})
      fail(what);
    left_.remove_prefix(static_cast<std::size_t>(stop - left_.data()));
    return value;
  }

  void expect(std::string_view what, std::int64_t expected) {
    skip_blanks();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (error != std::errc{} || value != expected)
      throw BadResult(fmt::format("{}:{}: {} is expected to be {}: '{}'", name_, number_, what, expected, shown(line_)));
    left_.remove_prefix(static_cast<std::size_t>(stop - left_.data()));
  }

  void skip(char mark) {
    if (left_.starts_with(mark)) left_.remove_prefix(1);
  }

  void finish_line() {
    skip_blanks();
    if (!left_.empty()) fail("the end of the line");
  }

  /// Only blanks may follow the last expected line.
  void finish() {
    while (file_.read(buffer_.data(), buffer_.size()), file_.gcount() > 0)
      if (std::string_view(buffer_.data(), static_cast<std::size_t>(file_.gcount())).find_first_not_of(" \t\r\n") !=
          std::string_view::npos)
        throw BadResult(fmt::format("{} has more than {} lines", name_, expected_));
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw BadResult(fmt::format("{}:{}: {} is missing: '{}'", name_, number_, what, shown(line_)));
  }

 private:
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r"), left_.size())); }

  std::string name_;
  std::ifstream file_;
  std::array<char, 4096> buffer_{};
  std::string_view line_, left_;
  std::int64_t number_ = 0;
  std::int64_t expected_;
};

/// The check script's difference: relative to the value, not to the reference; 0 if both are 0.
double script_difference(double value, double reference) {
  return value == reference ? 0 : std::abs((reference - value) / value);
}

/// Keeps the larger error; NaN counts as larger than any.
void keep_larger(double& largest, double error) {
  if (!std::isnan(largest) && !(error <= largest)) largest = error;
}

/// A value, the reference value, and the accepted error.
struct Compared {
  double value, reference;
  double error, tolerance;
  double relative;  ///< accepted difference of the check script; infinite if it does not compare values of this kind

  [[nodiscard]] bool passes_script() const {
    return std::isinf(relative) || script_difference(value, reference) <= relative;  // false for NaN
  }
  [[nodiscard]] bool is_right() const { return passes_script() && error <= tolerance; }
  [[nodiscard]] std::string text() const {
    const std::string values = fmt::format("is {:.9g}, reference {:.9g}", value, reference);
    if (passes_script()) return fmt::format("{}: error {:.3g} > {:.3g}", values, error, tolerance);
    return fmt::format("{}: {:.4g} % apart, accepted is {:g} %", values, 100 * script_difference(value, reference),
                       100 * relative);
  }
};

std::string place_of(std::size_t site, const UobRun& run) {
  return fmt::format("({}, {})", site % static_cast<std::size_t>(run.nx), site / static_cast<std::size_t>(run.nx));
}

}  // namespace

UobResults read_uob_results(const fs::path& final_state, const fs::path& av_vels, const UobRun& run) {
  UobResults results;
  const std::int64_t sites = std::int64_t{run.nx} * run.ny;
  Lines speeds(av_vels, run.steps);
  for (std::int64_t step = 0; step < run.steps; ++step) {
    speeds.next();
    speeds.expect("the step", step);
    speeds.skip(':');
    results.speeds.push_back(speeds.number("the average speed"));
    speeds.finish_line();
  }
  speeds.finish();
  Lines state(final_state, sites);
  results.sites.reserve(static_cast<std::size_t>(sites));
  for (int y = 0; y < run.ny; ++y)
    for (int x = 0; x < run.nx; ++x) {
      state.next();
      state.expect("x", x);
      state.expect("y", y);
      auto& site = results.sites.emplace_back();
      for (std::size_t i = 0; i < site.size(); ++i)
        site[i] = state.number(fields[i]);
      const double flag = state.number("the obstacle flag");
      if (!std::isfinite(flag)) state.fail("a finite obstacle flag");
      results.solid.push_back(flag != 0);
      state.finish_line();
    }
  state.finish();
  return results;
}

double uob_rounding(const Number& number, std::int64_t steps) { return q * population_tolerance(number, steps); }

UobComparison compare_uob(const UobResults& got, const UobResults& reference, const UobRun& run, const Number& number,
                          const std::string& final_state, const std::string& av_vels, double relative, double floor) {
  constexpr double not_compared = std::numeric_limits<double>::infinity();
  UobComparison result;
  const auto steps = static_cast<std::int64_t>(reference.speeds.size());
  result.tolerance = std::min(1.0, uob_rounding(number, steps));
  // A mean over the sites adds rounding.
  const double summation = number.epsilon * std::sqrt(static_cast<double>(std::int64_t{run.nx} * run.ny));
  for (std::size_t step = 0; step < reference.speeds.size(); ++step) {
    const double value = got.speeds[step], expected = reference.speeds[step];
    const double error = std::abs(value - expected);
    keep_larger(result.relative_error, script_difference(value, expected));
    keep_larger(result.speed_error, error / std::abs(expected));
    const double accepted = uob_rounding(number, static_cast<std::int64_t>(step) + 1) + summation * std::abs(expected);
    const Compared compared = {value, expected, error, accepted, error <= floor ? not_compared : relative};
    if (result.wrong.empty() && !compared.is_right())
      result.wrong = fmt::format("{}:{}: average speed of step {} {}", av_vels, step + 1, step, compared.text());
  }
  if (got.speeds.size() > reference.speeds.size()) return result;  // the states are from different steps
  double largest_pressure = 0;
  for (const auto& site : reference.sites)
    largest_pressure = std::max(largest_pressure, std::abs(site[pressure]));
  for (std::size_t n = 0; n < reference.sites.size(); ++n) {
    if (result.wrong.empty() && got.solid[n] != reference.solid[n])
      result.wrong = fmt::format("{}:{}: obstacle flag of {} is {:d}, reference {:d}", final_state, n + 1, place_of(n, run),
                                 bool{got.solid[n]}, bool{reference.solid[n]});
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const double value = got.sites[n][i], expected = reference.sites[n][i];
      const bool is_pressure = i == pressure;
      const double error = std::abs(value - expected) / (is_pressure ? largest_pressure : 1);
      if (is_pressure) keep_larger(result.relative_error, script_difference(value, expected));
      keep_larger(result.error, error);
      const Compared compared = {value, expected, error, result.tolerance, is_pressure ? relative : not_compared};
      if (result.wrong.empty() && !compared.is_right())
        result.wrong = fmt::format("{}:{}: {} of {} {}", final_state, n + 1, fields[i], place_of(n, run), compared.text());
    }
  }
  return result;
}

std::string not_finite(const UobResults& results, const UobRun& run, const std::string& final_state,
                       const std::string& av_vels) {
  for (std::size_t step = 0; step < results.speeds.size(); ++step)
    if (!std::isfinite(results.speeds[step]))
      return fmt::format("{}:{}: average speed of step {} is {}", av_vels, step + 1, step, results.speeds[step]);
  for (std::size_t n = 0; n < results.sites.size(); ++n)
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (!std::isfinite(results.sites[n][i]))
        return fmt::format("{}:{}: {} of {} is {}", final_state, n + 1, fields[i], place_of(n, run), results.sites[n][i]);
  return "";
}

}  // namespace ladder
