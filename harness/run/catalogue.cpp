#include "harness/run/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "harness/record/kernel_header.hpp"
#include "harness/record/outcome.hpp"
#include "harness/run/device_hint.hpp"
#include "harness/run/launch.hpp"

namespace ladder {
namespace {

/// The value of `.follows = "…"` in a rung's sources; empty if there is none. Sources that belong to several models leave out
/// the model's name: `.follows = MACRO("…")`.
std::string follows_of(const std::filesystem::path& folder, const std::string& model) {
  constexpr std::string_view key = ".follows = ";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_if_there(entry.path());
    if (const auto at = text.find(key); at != std::string::npos) {
      const auto value = text.substr(at + key.size(), text.find_first_of(",}\n", at) - at - key.size());
      const auto first = value.find('"'), last = value.rfind('"');
      if (first == last) return "";
      return (first > 0 ? model + "/" : "") + value.substr(first + 1, last - first - 1);
    }
  }
  return "";
}

/// Fills in what a rung's sources contain: the five header lines of its kernel file, and the rung it follows.
void read_sources(const std::filesystem::path& kernel, const std::string& id, Description& description) {
  description.follows = follows_of(kernel.parent_path(), id.substr(0, id.find('/')));
  try {
    const KernelHeader header = parse_kernel_header(read_if_there(kernel));
    description.idea = header.idea;
    description.layout = header.layout;
    description.traffic = header.traffic;
    description.source = header.source;
    description.bound = header.bound;
  } catch (const std::runtime_error& e) {
    description.idea = e.what();  // only building this rung fails
  }
}

/// Fills in an executable's description. `kernel`: the rung's kernel file, used if the executable is not built or older than
/// this file.
void describe(Executable& executable, const std::filesystem::path& kernel) {
  const std::filesystem::path file = executable.path.string() + ".json";
  std::error_code none;
  executable.is_built = std::filesystem::exists(file);
  Description& description = executable.description;
  try {
    if (executable.is_built)
      description = parse_description(std::filesystem::is_regular_file(file, none) ? read_if_there(file) : std::string());
  } catch (const InputError& e) {
    executable.fault = e.what();
  }
  if (!executable.is_described()) {
    description.id = executable.id;
    description.build = executable.build;
    description.backend = executable.backend;
  }
  if (!description.id.empty()) executable.id = description.id;
  if (!description.build.empty()) executable.build = description.build;
  if (!description.backend.empty()) executable.backend = description.backend;
  if (!std::filesystem::is_regular_file(kernel, none)) return;
  if (!executable.is_built || std::filesystem::last_write_time(kernel) > std::filesystem::last_write_time(file))
    read_sources(kernel, executable.id, description);
}

std::vector<std::string> ids(const std::vector<Executable>& executables) {
  std::vector<std::string> all;
  for (const auto& e : executables)
    if (std::find(all.begin(), all.end(), e.id) == all.end()) all.push_back(e.id);
  return all;
}

}  // namespace

std::string backend_of(std::string_view glob) {
  const auto first = glob.find('/');
  if (first == std::string_view::npos) return "";
  const auto second = glob.find('/', first + 1);
  return std::string(glob.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
}

std::string model_of(const Executable& rung) {
  return rung.description.model.empty() ? rung.id.substr(0, rung.id.find('/')) : rung.description.model;
}

nlohmann::ordered_json described_rung(const Executable& rung) {
  const SourceDescription& sources = rung.description;
  return rung.is_described() ? described(rung.description) : described(sources);
}

void require_built(const Executable& executable) {
  if (!executable.is_built)
    throw InputError(fmt::format("{}{} is not built; its target is {}", executable.id,
                                 executable.build == "default" ? "" : " [" + executable.build + "]", executable.target));
}

Catalogue::Catalogue(const std::filesystem::path& bin, const std::filesystem::path& root) {
  std::ifstream manifest(bin / "manifest.txt");
  if (!manifest) throw std::runtime_error(fmt::format("{}: no such file; build again", (bin / "manifest.txt").string()));
  for (std::string line; std::getline(manifest, line);) {
    std::istringstream words(line);
    std::string kind, name, target, kernel;
    words >> kind >> name;
    if (kind == "left-out") {
      left_out_.push_back({name, line.substr(kind.size() + name.size() + 2)});
      continue;
    }
    words >> target >> kernel;
    const std::filesystem::path path(name);
    if (kind == "format") {
      formats_.push_back({.path = bin / path,
                          .id = "format/" + path.filename().string(),
                          .build = "default",
                          .backend = "serial",
                          .description = {},
                          .target = target,
                          .is_built = std::filesystem::is_regular_file(bin / path)});
    } else if (kind == "backend") {
      probes_[path.filename()] = bin / path;
    } else if (kind == "ceilings") {
      auto& ceilings = ceilings_.emplace_back(Executable{
          .path = bin / path, .id = {}, .build = "default", .backend = path.filename(), .description = {}, .target = target});
      describe(ceilings, "");
      ceilings.id = "ceiling/" + ceilings.backend;
    } else if (kind == "rung") {
      const std::string id = path.parent_path().lexically_relative("rungs");
      auto& rung = rungs_.emplace_back(Executable{.path = bin / path,
                                                  .id = id,
                                                  .build = path.filename(),
                                                  .backend = backend_of(id),
                                                  .description = {},
                                                  .target = target,
                                                  .folder = std::filesystem::path(kernel).parent_path()});
      describe(rung, kernel.empty() ? "" : root / kernel);
    }
  }
}

std::vector<const Executable*> Catalogue::match(std::string_view glob, std::string_view build) const {
  std::vector<const Executable*> found;
  bool known_id = false;
  for (const auto& rung : rungs_)
    if (matches(std::string(glob), rung.id)) {
      known_id = true;
      if (matches(std::string(build), rung.build)) found.push_back(&rung);
    }
  if (!known_id) throw InputError(fmt::format("no rung matches '{}'{}", glob, why_unknown(glob)));
  return found;
}

std::vector<const Executable*> Catalogue::match_built(std::string_view glob, std::string_view build) {
  auto found = match(glob, build);
  std::erase_if(found, [&](const Executable* rung) { return is_passed_over(*rung); });
  for (const Executable* rung : found)
    require_built(*rung);
  return found;
}

std::vector<const Executable*> Catalogue::match_planned(std::string_view glob, std::string_view build,
                                                        const std::vector<std::string>& needed) {
  auto found = match(glob, build);
  const std::string named = backend_of(glob);
  std::erase_if(found, [&](const Executable* rung) { return rung->backend != named && is_passed_over(*rung); });
  for (const Executable* rung : found)
    if (matches_any(needed, rung->id) && !is_not_needed(*rung)) require_built(*rung);
  return found;
}

const Executable& Catalogue::rung(std::string_view id) const {
  for (const auto& rung : rungs_)
    if (rung.id == id && rung.build == "default") return rung;
  throw InputError(fmt::format("unknown rung '{}'{}", id, why_unknown(id)));
}

const Executable& Catalogue::built_rung(std::string_view id) const {
  const Executable& found = rung(id);
  require_built(found);
  if (!found.fault.empty()) throw InputError(fmt::format("{}: {}; build {} again", found.id, found.fault, found.target));
  return found;
}

const Executable& Catalogue::ceilings_of(std::string_view backend) const {
  std::vector<std::string> backends;
  for (const auto& c : ceilings_) {
    if (c.backend == backend) return c;
    backends.push_back(c.backend);
  }
  if (const std::string reason = why_left_out(backend); !reason.empty())
    throw InputError(fmt::format("no ceilings for backend '{}', which is not built: {}", backend, reason));
  throw InputError(fmt::format("no ceilings for backend '{}'{}; accepted: {}", backend, suggestion(backend, backends),
                               fmt::join(backends, ", ")));
}

const Executable& Catalogue::format(std::string_view name) const {
  const auto found =
      name == "none" ? formats_.begin() : std::ranges::find(formats_, fmt::format("format/{}", name), &Executable::id);
  if (found == formats_.end()) throw InputError(fmt::format("this build lacks the format '{}'; build again", name));
  return *found;
}

void Catalogue::add_rung(Executable rung) {
  const auto is_same = [&](const Executable& other) { return other.id == rung.id && other.build == rung.build; };
  if (std::ranges::none_of(rungs_, is_same)) rungs_.push_back(std::move(rung));
}

const Executable& Catalogue::rung_of_model(std::string_view model, bool built) const {
  std::vector<std::string> models;
  for (const Executable& rung : rungs_) {
    const std::string own = model_of(rung);
    if (own == model && (!built || (rung.is_built && rung.fault.empty()))) return rung;
    if (std::ranges::find(models, own) == models.end()) models.push_back(own);
  }
  if (std::ranges::find(models, model) != models.end())
    throw InputError(fmt::format("no rung of model '{}' is built, and one is needed for its cases", model));
  throw InputError(
      fmt::format("unknown model '{}'{}; accepted: {}", model, suggestion(model, models), fmt::join(models, ", ")));
}

std::string Catalogue::why_left_out(std::string_view backend) const {
  const std::string parts = fmt::format("+{}+", backend);
  for (const auto& [name, reason] : left_out_)
    if (parts.find("+" + name + "+") != std::string::npos) return reason;
  return "";
}

std::string Catalogue::why_unknown(std::string_view id) const {
  if (const std::string reason = why_left_out(backend_of(id)); !reason.empty())
    return fmt::format(": backend {} is not built: {}", backend_of(id), reason);
  std::vector<std::string> same;  // with this name, e.g. `04_soa`, in any ladder
  for (const std::string& known : ids(rungs_))
    if (known.ends_with("/" + std::string(id))) same.push_back(known);
  if (!same.empty()) return fmt::format("; accepted: {}", joined(same));
  return suggestion(id, ids(rungs_)) + " ('ladder list --all' shows all; globs such as 'd2q9/opencl/*')";
}

std::vector<std::filesystem::path> Catalogue::programs_of(const Executable& executable) const {
  std::vector<std::filesystem::path> programs;
  if (const auto own = probes_.find(executable.backend); own != probes_.end()) programs.push_back(own->second);
  programs.push_back(executable.path);
  for (const auto* all : {&rungs_, &ceilings_})
    for (const Executable& other : *all)
      if (other.backend == executable.backend && other.is_built && other.path != executable.path)
        programs.push_back(other.path);
  return programs;
}

const Availability& Catalogue::probe(const Executable& executable, const Launch& launch) {
  const auto [entry, is_new] = probed_.try_emplace(executable.backend + " " + launch.text());
  Availability& here = entry->second;
  if (!is_new) return here;
  const auto add_hint = [&] {
    if (const std::string hint = device_hint(executable.backend); !hint.empty()) here.reason += fmt::format(" ({})", hint);
  };
  constexpr double timeout = 60;
  double spent = 0;
  for (const auto& program : programs_of(executable)) {
    if (spent > 1.5 * timeout) break;  // if a driver hangs, all programs that use it hang
    const ProcessResult result = run_launched(launch, program, {"probe"}, timeout);
    spent += result.seconds;
    const Outcome outcome = outcome_of(result, timeout);
    auto answer = outcome.name == "ok" ? parse_probe(result.out) : std::nullopt;
    if (answer) {
      here = *std::move(answer);
      if (!here.available) add_hint();
      return here;
    }
    if (here.reason.empty())
      here.reason = fmt::format("the probe failed: {}", outcome.name == "ok" ? "its answer is invalid" : outcome.reason);
  }
  here.is_broken = true;
  add_hint();
  return here;
}

bool Catalogue::is_not_needed(const Executable& executable) { return !executable.is_built && !probe(executable).available; }

bool Catalogue::is_passed_over(const Executable& executable) {
  if (!is_not_needed(executable)) return false;
  if (std::find(passed_over_.begin(), passed_over_.end(), executable.backend) == passed_over_.end()) {
    print_err("backend {}: left out and not built, because it cannot run here: {}\n", executable.backend,
              probe(executable).reason);
    passed_over_.push_back(executable.backend);
  }
  return true;
}

}  // namespace ladder
