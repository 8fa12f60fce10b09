#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/catalogue.hpp"
#include "harness/program/plan.hpp"
#include "harness/program/study.hpp"

namespace ladder {

/// A name for this machine: the user's, else made of its processor and core count, e.g. `amd-epyc-2c`.
std::string machine_name(const std::string& given);

/// Facts about this machine (docs/architecture.md, "Provenance").
nlohmann::ordered_json machine_facts(const std::string& name);

/// Commit of the source tree and whether it has uncommitted changes; empty object outside a git checkout.
nlohmann::ordered_json source_facts(const std::filesystem::path& root);

/// The provenance that a session can be carried on from; null where `text` is none. Where it has a plan, cells and timing,
/// these are a text, texts and numbers by name.
nlohmann::ordered_json parse_provenance(std::string_view text);

/// One session of measuring: what it measures and where it got to. It is kept in a provenance file beside the rows.
class Session {
 public:
  /// A new session.
  static Session start(const std::filesystem::path& results, const std::string& machine, nlohmann::ordered_json provenance);
  /// The sessions of these results, whole or not, oldest first; those of profiles have another name, `<machine>.profile`.
  static std::vector<Session> all(const std::filesystem::path& results, const std::string& machine);

  [[nodiscard]] const std::string& id() const { return id_; }
  nlohmann::ordered_json& provenance() { return provenance_; }
  [[nodiscard]] const nlohmann::ordered_json& provenance() const { return provenance_; }
  /// Writes the provenance file, whole.
  void save() const;

 private:
  std::filesystem::path file_;
  std::string id_;
  nlohmann::ordered_json provenance_;
};

}  // namespace ladder
