#include "harness/program/catalogue.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "harness/error.hpp"
#include "harness/program/outcome.hpp"
#include "roofline/machine.hpp"

namespace ladder {
namespace {

Executable described(const std::filesystem::path& path) {
  std::ifstream file(path.string() + ".json");
  auto description = nlohmann::ordered_json::parse(file, nullptr, false);
  if (description.is_discarded())
    throw std::runtime_error(fmt::format("{}.json: missing or not JSON; build again", path.string()));
  Executable executable{
      path, description.value("id", ""), description.value("build", "default"), description.value("backend", ""), {}};
  executable.description = std::move(description);
  return executable;
}

bool matches(std::string_view glob, const std::string& text) {
  return fnmatch(std::string(glob).c_str(), text.c_str(), 0) == 0;
}

std::vector<std::string> ids(const std::vector<Executable>& executables) {
  std::vector<std::string> all;
  for (const auto& e : executables)
    if (std::find(all.begin(), all.end(), e.id) == all.end()) all.push_back(e.id);
  return all;
}

}  // namespace

Catalogue::Catalogue(const std::filesystem::path& bin) {
  std::ifstream manifest(bin / "manifest.txt");
  if (!manifest) throw std::runtime_error(fmt::format("{}: no such file; build again", (bin / "manifest.txt").string()));
  for (std::string kind, path; manifest >> kind >> path;) {
    auto executable = described(bin / path);
    if (kind == "rung") {
      rungs_.push_back(std::move(executable));
    } else {
      executable.id = "ceiling/" + executable.backend;
      ceilings_.push_back(std::move(executable));
    }
  }
}

std::vector<const Executable*> Catalogue::match(std::string_view glob, std::string_view build) const {
  std::vector<const Executable*> found;
  bool known_id = false;
  for (const auto& rung : rungs_)
    if (matches(glob, rung.id)) {
      known_id = true;
      if (matches(build, rung.build)) found.push_back(&rung);
    }
  if (!known_id)
    throw InputError(fmt::format("no rung matches '{}'{} ('ladder list' shows all; globs such as 'd2q9/opencl/*')", glob,
                                 suggestion(glob, ids(rungs_))));
  return found;
}

const Executable& Catalogue::rung(std::string_view id) const {
  for (const auto& rung : rungs_)
    if (rung.id == id && rung.build == "default") return rung;
  throw InputError(fmt::format("unknown rung '{}'{} ('ladder list' shows all)", id, suggestion(id, ids(rungs_))));
}

const Executable& Catalogue::ceilings_of(std::string_view backend) const {
  std::vector<std::string> backends;
  for (const auto& c : ceilings_) {
    if (c.backend == backend) return c;
    backends.push_back(c.backend);
  }
  throw InputError(fmt::format("no ceilings for backend '{}'{}; accepted: {}", backend, suggestion(backend, backends),
                               fmt::join(backends, ", ")));
}

const Availability& Catalogue::probe(const Executable& executable) {
  const auto [entry, is_new] = probed_.try_emplace(executable.backend);
  Availability& answer = entry->second;
  if (!is_new) return answer;
  const ProcessResult result = run_process(executable.path, {"probe"}, 60, pinned_environment());
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  if (result.end != ProcessResult::End::exited || result.code != exit_ok || !json.is_object()) {
    answer.reason = result.err.empty() ? "the probe failed" : excerpt(result.err);
    return answer;
  }
  answer = {json.value("available", false),
            json.value("reason", ""),
            json.value("device", ""),
            json.value("driver", ""),
            json.value("threads", 0),
            json.value("cache_bytes", 0.0),
            json.value("compute_capability", ""),
            json.value("memory_bytes", 0.0),
            json.value("resident", false)};
  return answer;
}

std::string pinning_text() {
  std::string text;
  for (const auto& [name, value] : pinned_environment()) {
    const char* set = std::getenv(name.c_str());
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, set == nullptr ? value : set);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> pinned_environment() {
  static const std::vector<int> processors = this_machine().processors;
  std::string places;
  for (const int processor : processors)
    places += fmt::format("{}{{{}}}", places.empty() ? "" : ",", processor);
  return {{"OMP_NUM_THREADS", std::to_string(processors.size())}, {"OMP_PLACES", places}, {"OMP_PROC_BIND", "close"}};
}

}  // namespace ladder
