#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/ceilings.hpp"
#include "reports/study.hpp"
#include "roofline/model/bound.hpp"

/// Stored results and publications about one rung.
namespace ladder {

/// A rung beside its parent, in one study.
struct Gain {
  std::string study, case_name, precision, tuning;
  std::int64_t cells = 0;
  double updates_per_second = 0;
  Ratio over_parent;
  Verdict verdict = Verdict::unresolved;
};

/// A publication's step that a rung implements.
struct PaperStep {
  std::string study, citation, label, over, case_name;
  double seconds = 0;
  double over_seconds = 0;  ///< of the step before; NaN if there is none
  double stated = 0;        ///< speed-up stated in its text; NaN if there is none

  [[nodiscard]] double speedup() const { return over_seconds / seconds; }
};

/// The roofs over a rung, of the highest stored ceilings from main memory.
struct Roofs {
  std::string study;
  std::string bandwidth_name, peak_name;
  bool is_own = false;  ///< both of the rung's own backend
  Roofline roofline{};  ///< bytes and operations per second
};

/// The studies of a folder, with the results of one machine. A study with errors is left out, with an entry in `warnings`.
class StoredResults {
 public:
  StoredResults(const std::filesystem::path& experiments, const std::string& machine);

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// By case and precision, at the rung's own tuning; small cases first.
  [[nodiscard]] std::vector<Gain> gains(const std::string& rung, const std::string& parent) const;

  /// Each step once, even if several studies redo the publication.
  [[nodiscard]] std::vector<PaperStep> paper(const std::string& rung) const;

  /// Ceilings of `backend`, or of any backend if it has none (for `serial`, OpenMP first); nothing if no study has both. `q` is
  /// the number of populations.
  [[nodiscard]] std::optional<Roofs> roofs(const std::string& backend, const std::string& stand_in,
                                           const std::string& precision, int q) const;

 private:
  std::vector<reports::Study> studies_;
  std::vector<std::string> warnings_;
};

}  // namespace ladder
