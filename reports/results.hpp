#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/provenance.hpp"
#include "harness/record/statistics.hpp"
#include "reports/study.hpp"
#include "roofline/model/bound.hpp"

namespace ladder::reports {

/// The stored caches in the form that the roofline model takes.
std::vector<Cache> model_of(const std::vector<CacheLevel>& caches);

/// Name of the smallest level that `bytes` fit into, counting all its instances; "DRAM" if they fit into none, "unknown" if the
/// caches are unknown.
std::string residency(double bytes, const std::vector<CacheLevel>& caches);

/// One measured combination of rung, build, case, precision, tuning, threads and placement, with its ok samples. Ceilings are
/// cells as well.
struct Cell {
  const Row* row = nullptr;                       ///< the latest sample: names, traffic, counts, device
  Series updates_per_second;                      ///< one observation per sample
  std::vector<const Row*> rows;                   ///< all its samples
  double median = 0;                              ///< of updates_per_second
  Series joules_per_update;                       ///< one observation per sample that has energy
  std::vector<double> queue_seconds = {};         ///< one value per sample that has it
  std::optional<TwoGroups> groups = {};           ///< set if the samples fall into two groups
  std::optional<Spread> spread = {};              ///< set if the samples are few and far apart
  std::optional<Disagreement> disagreement = {};  ///< set if the sessions disagree

  [[nodiscard]] double microseconds_per_step() const { return 1e6 * static_cast<double>(row->cells) / median; }
  [[nodiscard]] double mlups() const { return median / 1e6; }
  /// Median energy of 10^9 updates, in J; NaN if no sample has energy.
  [[nodiscard]] double joules_per_giga_update() const { return 1e9 * ladder::median(joules_per_update); }
  /// Operations per byte of DRAM traffic, as declared by the rung; NaN if the rung declares another memory level.
  [[nodiscard]] double intensity() const { return row->flops_per_update / row->dram_bytes_per_update(); }
  [[nodiscard]] std::string describe() const;  ///< e.g. "d2q9/opencl/07, box-256, f32, wx=32;wy=8"
  /// Caveats for a contender's results: `foreign, own time, not checked`; empty for rungs.
  [[nodiscard]] std::string foreign_note() const;
  [[nodiscard]] bool is_of_session(const std::string& session) const;
  /// " §" if the sessions disagree, else " ◊" if the samples fall into two groups, else " ≀" if they are few and far apart,
  /// else empty.
  [[nodiscard]] std::string mark() const;
  /// The meaning of the mark, with the rates; empty without a mark.
  [[nodiscard]] std::string why_marked() const;
};

/// Whether two cells were measured in the same session.
[[nodiscard]] bool share_session(const Cell& a, const Cell& b);

/// Whether two cells are the same combination, ignoring keys.
[[nodiscard]] bool are_same_combination(const Cell& a, const Cell& b);

/// Selects cells. Empty strings match anything.
struct CellQuery {
  std::string rung = {};  ///< may be a pattern; combined with the tuning "best", selects the fastest matching rung
  std::string build = "default";
  std::string case_name = {};
  std::string precision = {};
  /// "initial": the rung's default values; "best": the fastest; otherwise `name=value;…`, values that the cell must have.
  std::string tuning = "initial";
  std::optional<std::int64_t> workers = {};  ///< threads of all processes; by default the largest number measured
};

/// Rows with the same kind, rung, build, case, precision, outcome and reason, where the outcome is not ok.
struct Failure {
  const Row* row = nullptr;  ///< the latest of these rows
  std::size_t count = 0;
  std::vector<std::string> tunings;
  std::vector<const Row*> rows;
  bool ok_since = false;  ///< whether each of the cells has a later ok row of the same kind
};

/// A cell with samples that must not be shown.
struct Withheld {
  Cell cell;
  std::string why;
};

/// A rung that was measured twice in each round of a session, so that it can be compared with itself.
struct Noise {
  const Row* row = nullptr;      ///< the latest sample of the second series
  Ratio ratio;                   ///< samples over their twins, paired by round
  double floor = 0;              ///< noise_floor(ratio)
  std::vector<const Row*> rows;  ///< samples and twins
};

/// The results of one machine, ready to be shown. Contains only cells for which both the latest check and the check with the
/// samples' own key are ok, and for each cell the samples of one key.
class Results {
 public:
  /// Keeps pointers into `data`, which must outlive this object.
  explicit Results(const MachineData& data);

  [[nodiscard]] const MachineData& data() const { return *data_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const std::vector<Cell>& ceilings() const { return ceilings_; }
  /// Superseded ceilings, kept for shown cells that were measured in a session with them but not with their replacements; for
  /// each ceiling in the order of the sessions.
  [[nodiscard]] const std::vector<Cell>& earlier_ceilings() const { return earlier_ceilings_; }
  [[nodiscard]] const std::vector<Withheld>& withheld() const { return withheld_; }
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  [[nodiscard]] const std::vector<Noise>& noise() const { return noise_; }  ///< in order of the rows
  /// The larger noise floor of the two cells. Each is the floor of the cell's backend on its case, in the sessions in which
  /// both cells were measured. Without a twin on that case, it is the backend's floor on any case; NaN without any twin.
  [[nodiscard]] double noise_floor(const Cell& a, const Cell& b) const;
  [[nodiscard]] std::size_t superseded() const { return superseded_; }  ///< samples with other keys, which are left out
  [[nodiscard]] const std::vector<CacheLevel>& caches() const;          ///< of the processor
  /// Caches of the device that a row ran on, if the device has its own as GPUs do; else the processor's caches.
  [[nodiscard]] const std::vector<CacheLevel>& caches(const Row& row) const;
  /// Whether two rows ran on the same memory: the processor's, or that of the same device with its own caches.
  [[nodiscard]] bool share_memory(const Row& a, const Row& b) const;

  /// Descriptions of all rungs, each from the latest session that has one, ordered by id and build.
  [[nodiscard]] const std::vector<RungDescription>& rungs() const { return rungs_; }
  [[nodiscard]] const RungDescription* rung(const std::string& id, const std::string& build) const;

  /// All shown cells that match. Rung, build and case may be patterns. The query's tuning is ignored.
  [[nodiscard]] std::vector<const Cell*> all(const CellQuery& query) const;

  /// The one cell that a query selects; null if there is none.
  [[nodiscard]] const Cell* choose(const CellQuery& query) const;

  /// The latest profile of all kernels for each rung, build, case, precision and tuning, in the order of the rows.
  [[nodiscard]] std::vector<const Profile*> profiles() const;

  /// The latest profile that `accepts` accepts; null if there is none.
  template <class Accepts>
  [[nodiscard]] const Profile* latest_profile(Accepts accepts) const {
    const auto& all = data_->profiles.rows;
    const auto found = std::find_if(all.rbegin(), all.rend(), accepts);
    return found == all.rend() ? nullptr : &*found;
  }

  /// The latest profile that matches a cell; null if there is none.
  [[nodiscard]] const Profile* profile(const Cell& cell) const;

  /// Whether a profile was made with another executable than the one in the rung's latest description.
  [[nodiscard]] bool is_outdated(const Profile& profile) const;

  /// Ids of the rungs that were described, measured or profiled, whether shown or not, and that match a pattern. Ordered by
  /// pattern, then by id.
  [[nodiscard]] std::vector<std::string> known_rungs(const std::vector<std::string>& patterns) const;

  /// Ids of the shown rungs that match any of the patterns, ordered by id.
  [[nodiscard]] std::vector<std::string> matching_rungs(const std::vector<std::string>& patterns) const;

 private:
  void collect();
  void collect_failures();
  void collect_noise();

  const MachineData* data_;
  std::vector<Cell> cells_;
  std::vector<Cell> ceilings_;
  std::vector<Cell> earlier_ceilings_;
  std::vector<Withheld> withheld_;
  std::vector<Failure> failures_;
  std::vector<Noise> noise_;
  std::vector<RungDescription> rungs_;
  std::size_t superseded_ = 0;
};

/// Splits `wx=32;wy=8` into names and values. Parts without '=' are kept with an empty value.
std::map<std::string, std::string> parse_tuning(const std::string& tuning);

}  // namespace ladder::reports
