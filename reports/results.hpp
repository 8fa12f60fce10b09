#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/provenance.hpp"
#include "harness/record/statistics.hpp"
#include "reports/study.hpp"

namespace ladder::reports {

/// Name of the smallest level that `bytes` fit into, counting all its instances; "DRAM" if none holds them, "unknown" if no
/// caches are known.
std::string residency(double bytes, const std::vector<CacheLevel>& caches);

/// One measured combination: rung, build, case, precision, tuning, threads and placement, with its ok samples. Ceilings are
/// cells too.
struct Cell {
  const Row* row = nullptr;                       ///< the latest sample: names, traffic, counts, device
  Series updates_per_second;                      ///< one observation per sample
  std::vector<const Row*> rows;                   ///< its samples
  double median = 0;                              ///< of updates_per_second
  Series joules_per_update;                       ///< one observation per sample that has energy
  std::vector<double> queue_seconds = {};         ///< one number per sample that has it
  std::optional<TwoGroups> groups = {};           ///< if the samples fall into two
  std::optional<Spread> spread = {};              ///< if its samples are few and far apart
  std::optional<Disagreement> disagreement = {};  ///< if its sessions disagree

  [[nodiscard]] double microseconds_per_step() const { return 1e6 * static_cast<double>(row->cells) / median; }
  [[nodiscard]] double mlups() const { return median / 1e6; }
  /// Median energy of 10^9 updates, in J; NaN if no sample has energy.
  [[nodiscard]] double joules_per_giga_update() const { return 1e9 * ladder::median(joules_per_update); }
  /// Operations per byte of the DRAM traffic that the rung declares; NaN if it declares another memory level.
  [[nodiscard]] double intensity() const { return row->flops_per_update / row->dram_bytes_per_update(); }
  [[nodiscard]] std::string describe() const;  ///< e.g. "d2q9/opencl/07, box-256, f32, wx=32;wy=8"
  /// What a reader must know of a contender's numbers: `foreign, own time, not checked`; empty for rungs.
  [[nodiscard]] std::string foreign_note() const;
  [[nodiscard]] bool is_of_session(const std::string& session) const;
  /// " §" if its sessions disagree, else " ◊" if its samples fall into two groups, else " ≀" if they are few and far apart,
  /// else empty.
  [[nodiscard]] std::string mark() const;
  /// What the mark stands for, with the rates; empty without a mark.
  [[nodiscard]] std::string why_marked() const;
};

/// Whether two cells were measured in one session.
[[nodiscard]] bool share_session(const Cell& a, const Cell& b);

/// Whether two cells are the same combination, with any keys.
[[nodiscard]] bool are_same_combination(const Cell& a, const Cell& b);

/// Cells to look for. Empty strings match anything.
struct CellQuery {
  std::string rung = {};  ///< may be a pattern; with the tuning "best" it means the fastest matching rung
  std::string build = "default";
  std::string case_name = {};
  std::string precision = {};
  /// "initial": the rung's own values; "best": the fastest; otherwise `name=value;…`, values that the cell must have.
  std::string tuning = "initial";
  std::optional<std::int64_t> workers = {};  ///< threads of all processes; default: the most measured
};

/// Rows of one kind, rung, build, case, precision, outcome and reason that are not ok.
struct Failure {
  const Row* row = nullptr;  ///< the latest of them
  std::size_t count = 0;
  std::vector<std::string> tunings;
  std::vector<const Row*> rows;
  bool ok_since = false;  ///< whether each of the cells has a later row of its kind that is ok
};

/// A cell with samples that must not be shown.
struct Withheld {
  Cell cell;
  std::string why;
};

/// A rung that was measured twice in each round of a session, to compare it with itself.
struct Noise {
  const Row* row = nullptr;      ///< the latest of its second samples
  Ratio ratio;                   ///< samples over their twins, paired by round
  double floor = 0;              ///< noise_floor(ratio)
  std::vector<const Row*> rows;  ///< samples and twins
};

/// The results of one machine, ready to be shown: only cells whose latest check and whose check with the samples' own key are
/// ok, and for each cell the samples of one key.
class Results {
 public:
  /// Keeps pointers into `data`, which must outlive this object.
  explicit Results(const MachineData& data);

  [[nodiscard]] const MachineData& data() const { return *data_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const std::vector<Cell>& ceilings() const { return ceilings_; }
  /// Ceilings with keys that later sessions replaced, for shown cells that share a session with them and not with the later
  /// ones; for each ceiling in the order of the sessions.
  [[nodiscard]] const std::vector<Cell>& earlier_ceilings() const { return earlier_ceilings_; }
  [[nodiscard]] const std::vector<Withheld>& withheld() const { return withheld_; }
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  [[nodiscard]] const std::vector<Noise>& noise() const { return noise_; }  ///< in order of the rows
  /// The larger noise floor of the two. Each is that of the cell's backend on its case, in the sessions in which both were
  /// measured; if there is no twin on that case, that of the backend on any case; NaN if there is no twin at all.
  [[nodiscard]] double noise_floor(const Cell& a, const Cell& b) const;
  [[nodiscard]] std::size_t superseded() const { return superseded_; }  ///< samples with other keys, left out
  [[nodiscard]] const std::vector<CacheLevel>& caches() const;          ///< of the processor
  /// Caches of the device that a row ran on, if it has its own, as GPUs do; else the processor's.
  [[nodiscard]] const std::vector<CacheLevel>& caches(const Row& row) const;
  /// Whether two rows ran on the same memory: that of the processor, or of the same device that has caches of its own.
  [[nodiscard]] bool share_memory(const Row& a, const Row& b) const;

  /// Descriptions of all rungs, from the latest session that has one, in order of id and build.
  [[nodiscard]] const std::vector<RungDescription>& rungs() const { return rungs_; }
  [[nodiscard]] const RungDescription* rung(const std::string& id, const std::string& build) const;

  /// All shown cells that match; a rung, build or case may be a pattern. The tuning of the query is ignored.
  [[nodiscard]] std::vector<const Cell*> all(const CellQuery& query) const;

  /// The one cell that a query means; nullptr if there is none.
  [[nodiscard]] const Cell* choose(const CellQuery& query) const;

  /// The latest profile of all kernels of each rung, build, case, precision and tuning, in order of the rows.
  [[nodiscard]] std::vector<const Profile*> profiles() const;

  /// The latest profile that matches a cell; nullptr if there is none.
  [[nodiscard]] const Profile* profile(const Cell& cell) const;

  /// Whether a profile was made with an executable other than that of the rung's latest description.
  [[nodiscard]] bool is_outdated(const Profile& profile) const;

  /// Ids of the rungs that were described, measured or profiled, shown or not, and match a pattern; pattern by pattern, in
  /// order of id.
  [[nodiscard]] std::vector<std::string> known_rungs(const std::vector<std::string>& patterns) const;

  /// Ids of the shown rungs that match any of the patterns, in order of id.
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
  std::map<std::string, const Row*> latest_checks_;
  std::size_t superseded_ = 0;
};

/// `wx=32;wy=8` split into names and values. Parts without '=' are kept with an empty value.
std::map<std::string, std::string> parse_tuning(const std::string& tuning);

}  // namespace ladder::reports
