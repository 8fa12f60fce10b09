#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/identity.hpp"
#include "reports/ceilings.hpp"
#include "reports/study.hpp"
#include "roofline/model/bound.hpp"

/// Stored results and published values for one rung.
namespace ladder {

/// Different machines that may share a name, in the order in which they were added.
class Machines {
 public:
  /// Adds the machine that measured a sample on `device`, unless it may be one that was added before. Returns its number,
  /// counting from 1.
  std::size_t add(const MachineFacts& machine, const std::string& device);

  [[nodiscard]] bool are_several() const { return all_.size() > 1; }
  /// What is known about each; empty if there is only one.
  [[nodiscard]] std::vector<std::string> identities() const;
  /// The same with numbers: `machine 2: AMD EPYC, 8 cores`.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  /// For each machine, what its samples tell about it. Some tell little, so that they may fit several machines; each must fit
  /// all others of its machine.
  std::vector<std::vector<Measured>> all_;
};

/// ` (machine 2)`; empty for 0.
std::string machine_mark(std::size_t number);

/// A speed of a rung in one study, and its ratio to a baseline.
struct Gain {
  enum class Over {
    parent,   ///< the rung's own tuning, over its parent
    initial,  ///< the fastest tuning, over the rung's own one
    other     ///< over another rung, tuning or commit in the same rounds of `ladder compare`
  };
  Over over = Over::parent;
  std::string other;  ///< rung, commit and tuning of the baseline, for Over::other
  std::string study;
  std::size_t machine = 0;  ///< number among StoredResults::machines(); 0 if unknown, or if there is only one
  std::string case_name, precision, tuning;
  std::int64_t cells = 0;
  double updates_per_second = 0;
  Ratio ratio;
  Verdict verdict = Verdict::unresolved;
};

/// Where the rows of a rung are stored.
struct RowSource {
  std::string study;
  std::size_t machine = 0;  ///< as in Gain
  std::string command;      ///< the one that stored them, e.g. `ladder compare`
  std::filesystem::path file;
  std::string utc;  ///< of the rung's last sample
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
  std::string study;
  std::size_t machine = 0;  ///< as in Gain
  std::string case_name, precision;
  double updates_per_second = 0;
  double fraction = 0;  ///< of the lowest limit
  std::vector<std::string> limits;
  std::string advice;
};

/// The studies in a folder, including those that `ladder tune` writes, and the rows of `ladder compare`, with the results of
/// one machine. A study with errors is left out, with an entry in `warnings`.
class StoredResults {
 public:
  /// `more`: folders of further studies. @throws InputError if one of these is wrong
  StoredResults(const std::filesystem::path& experiments, const std::string& machine,
                const std::vector<std::filesystem::path>& more = {});

  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// By case and precision, with the rung's own tuning or, if that is not stored, the fastest one; small cases first. `own` is
  /// that tuning, `name=value;…`; empty: as the rung's latest session describes it. A faster tuning follows, and so do the
  /// other comparisons of `ladder compare`.
  [[nodiscard]] std::vector<Gain> gains(const std::string& rung, const std::string& parent, const std::string& own = "") const;

  /// The machines with samples of the rung.
  [[nodiscard]] Machines machines(const std::string& rung) const;

  /// The files that hold samples of the rung.
  [[nodiscard]] std::vector<RowSource> sources(const std::string& rung) const;

  /// With the same tuning, on the largest case of each study and precision.
  [[nodiscard]] std::vector<StoredLimits> limits(const std::string& rung, const std::string& own_tuning) const;

  /// Each step once, even if several studies reproduce the publication.
  [[nodiscard]] std::vector<PaperStep> paper(const std::string& rung) const;

  /// Ceilings of `backend` or, if it has none, of any backend (for `serial`, OpenMP first); nothing if no study has both. `q`
  /// is the number of populations.
  [[nodiscard]] std::optional<Roofs> roofs(const std::string& backend, const std::string& stand_in,
                                           const std::string& precision, int q) const;

  /// Names of all machines with samples of the rung in `experiments`, sorted. Studies with errors are left out.
  static std::vector<std::string> machines_with(const std::filesystem::path& experiments, const std::string& rung);

 private:
  std::vector<reports::Study> studies_;
  std::vector<std::string> warnings_;
};

}  // namespace ladder
