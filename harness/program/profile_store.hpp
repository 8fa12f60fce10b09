#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/program/append_file.hpp"
#include "harness/program/ncu.hpp"

namespace ladder {

/// One row of `<machine>.profile.csv`; the columns are those of docs/architecture.md, in this order.
struct ProfileRow {
  std::string session;
  std::string utc;
  std::string kind;  ///< `kernel`: all launches of one kernel; `step`: of all kernels
  std::string rung, build, backend;
  std::string case_name, grid;
  std::int64_t cells = 0;
  std::string precision, tuning;
  std::string device;
  std::string executable;  ///< hash of its bytes
  std::string profiler;    ///< `ncu 2025.3.1.0`
  std::string replay;      ///< `kernel` or `application`
  std::int64_t steps = 0;  ///< that were profiled
  KernelProfile counters;  ///< of all these steps
  double bytes_per_update_model = KernelProfile::unknown;
  double bytes_per_update_minimum = KernelProfile::unknown;
  double flops_per_update = KernelProfile::unknown;
  double footprint_bytes = KernelProfile::unknown;

  /// A counter of all steps, as a number an update.
  [[nodiscard]] double per_update(double counter) const {
    return counter / (static_cast<double>(cells) * static_cast<double>(steps));
  }
};

/// The first line of every such file.
std::string profile_header();

/// The row as one line of CSV, without the line break. What is unknown is an empty field.
std::string profile_line(const ProfileRow& row);

/// The profiles of one study on one machine: a file that is only ever appended to, all rows of a profile at once.
class ProfileStore {
 public:
  /// @throws InputError where it cannot be written, is held by another program, or is no store of profiles
  explicit ProfileStore(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

  /// @throws InputError where the rows cannot be written whole; the file is then as it was
  void append(const std::vector<ProfileRow>& rows);

 private:
  AppendFile file_;
};

}  // namespace ladder
