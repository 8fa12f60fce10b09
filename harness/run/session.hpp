#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/identity.hpp"
#include "harness/record/provenance.hpp"
#include "harness/run/catalogue.hpp"

namespace ladder {

/// A name for this machine: the one given by the user, or one derived from its identity, e.g. `amd-epyc-f26m2-avx512-2c`.
std::string machine_name(const std::string& given);

/// Facts about this machine, stored under `name`.
MachineFacts machine_facts(const std::string& name);

/// Adds the GPU that `probe` describes, unless the facts already contain it.
void add_gpu(MachineFacts& facts, const Availability& probe);

/// Rejects adding to results of another machine. `here.machine.name` is the name of the results.
/// @throws InputError naming both machines if the last session ran on another machine, or if this session measures the
/// processor and the last session with processor results ran on another one
void require_same_machine(const std::filesystem::path& results, const Measured& here);

/// The version, the commit of the source tree, and whether there are uncommitted changes, or why they are unknown.
SourceFacts source_facts(const std::filesystem::path& root);

/// A measuring session: what it measures and its progress. It is stored in a provenance file next to the rows.
class Session {
 public:
  /// Starts a new session, whose id consists of the time and a random number. Sessions are ordered by their rows, not by their
  /// ids.
  static Session start(const std::filesystem::path& results, const std::string& machine, Provenance provenance);
  /// The sessions of these results, complete or not, sorted by id. Sessions of profiles and timelines are stored under
  /// other names, `<machine>.profile` and `<machine>.timeline`.
  /// @throws InputError if a file cannot be read; files that are not provenance files are skipped
  static std::vector<Session> all(const std::filesystem::path& results, const std::string& machine);

  [[nodiscard]] const std::string& id() const { return id_; }
  Provenance& provenance() { return provenance_; }
  [[nodiscard]] const Provenance& provenance() const { return provenance_; }
  /// Writes the complete provenance file.
  void save() const;

 private:
  std::filesystem::path file_;
  std::string id_;
  Provenance provenance_;
};

}  // namespace ladder
