#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/ceilings.hpp"
#include "reports/study.hpp"
#include "roofline/model/bound.hpp"

/// Stored results and published values for one rung.
namespace ladder {

/// A rung compared with its parent, in one study.
struct Gain {
  std::string study, case_name, precision, tuning;
  std::int64_t cells = 0;
  double updates_per_second = 0;
  Ratio over_parent;
  Verdict verdict = Verdict::unresolved;
};

/// A step in a publication that a rung implements.
struct PaperStep {
  std::string study, citation, label, over, case_name;
  double seconds = 0;
  double over_seconds = 0;  ///< time of the preceding step; NaN if there is none
  double stated = 0;        ///< speed-up stated in the publication's text; NaN if there is none

  [[nodiscard]] double speedup() const { return over_seconds / seconds; }
};

/// The roofs above a rung, from the highest stored ceilings for main memory.
struct Roofs {
  std::string study;
  std::string bandwidth_name, peak_name;
  bool is_own = false;  ///< both ceilings belong to the rung's own backend
  Roofline roofline{};  ///< bytes and operations per second
};

/// The limits of a rung on one case, as text (reports/limits.hpp).
struct StoredLimits {
  std::string study, case_name, precision;
  double updates_per_second = 0;
  double fraction = 0;  ///< of the lowest limit
  std::vector<std::string> limits;
  std::string advice;
};

/// The studies in a folder and the rows of `ladder compare`, with the results of one machine. A study with errors is left out,
/// with an entry in `warnings`.
class StoredResults {
 public:
  StoredResults(const std::filesystem::path& experiments, const std::string& machine);

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// By case and precision, with the rung's own tuning or, if that is not stored, the fastest one; small cases first.
  [[nodiscard]] std::vector<Gain> gains(const std::string& rung, const std::string& parent) const;

  /// With the same tuning, on the largest case of each study and precision.
  [[nodiscard]] std::vector<StoredLimits> limits(const std::string& rung) const;

  /// Each step once, even if several studies reproduce the publication.
  [[nodiscard]] std::vector<PaperStep> paper(const std::string& rung) const;

  /// Ceilings of `backend` or, if it has none, of any backend (for `serial`, OpenMP first); nothing if no study has both. `q`
  /// is the number of populations.
  [[nodiscard]] std::optional<Roofs> roofs(const std::string& backend, const std::string& stand_in,
                                           const std::string& precision, int q) const;

  /// Names of all machines with samples of the rung, sorted. Studies with errors are left out.
  static std::vector<std::string> machines_with(const std::filesystem::path& experiments, const std::string& rung);

 private:
  std::vector<reports::Study> studies_;
  std::vector<std::string> warnings_;
};

}  // namespace ladder
