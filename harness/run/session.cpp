#include "harness/run/session.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/output.hpp"
#include "base/process.hpp"
#include "base/processor.hpp"
#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/json_fields.hpp"
#include "harness/run/git.hpp"
#include "harness/run/launch.hpp"
#include "roofline/model/machine.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

std::string operating_system() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("PRETTY_NAME=")) {
      line.erase(0, line.find('=') + 1);
      std::erase(line, '"');
      return line;
    }
  return "unknown";
}

std::string load_average() {
  std::ifstream file("/proc/loadavg");
  std::string one;
  file >> one;
  return one;
}

}  // namespace

std::string machine_name(const std::string& given) {
  if (!given.empty()) {
    constexpr std::size_t longest = 80;  // the name becomes part of file names
    if (slug(given) != given || given.size() > longest)
      throw InputError(
          fmt::format("machine name '{}'; accepted: at most {} lower-case letters, digits and dashes", given, longest));
    return given;
  }
  return short_name(machine_facts(""));
}

MachineFacts machine_facts(const std::string& name) {
  const Machine machine = this_machine();
  utsname system{};
  uname(&system);
  MachineFacts facts{.name = name,
                     .cpu = machine.processor,
                     .cores = static_cast<int>(usable_cores().size()),
                     .memory_bytes = static_cast<double>(machine.memory_bytes),
                     .os = operating_system(),
                     .kernel = system.release,
                     .load_average = load_average(),
                     .caches = {},
                     .identity = ProcessorIdentity{machine.identity.vendor, machine.identity.family, machine.identity.model,
                                                   machine.identity.stepping, machine.identity.instruction_sets},
                     .gpus = {}};
  for (const auto& cache : machine.caches)
    facts.caches.push_back({cache.level, static_cast<double>(cache.bytes), cache.count});
  return facts;
}

void add_gpu(MachineFacts& facts, const Availability& probe) {
  if (!probe.available || probe.cache_bytes == 0) return;  // not a GPU
  GpuFacts gpu{probe.device, probe.compute_capability, probe.memory_bytes};
  const auto same =
      std::find_if(facts.gpus.begin(), facts.gpus.end(), [&](const GpuFacts& other) { return other.name == gpu.name; });
  if (same == facts.gpus.end())
    facts.gpus.push_back(std::move(gpu));
  else if (same->compute_capability.empty())
    *same = std::move(gpu);  // the new backend provides more details
}

void require_same_machine(const fs::path& results, const Measured& here) {
  for (const std::string& name : {here.machine.name, here.machine.name + ".profile", here.machine.name + ".timeline"}) {
    bool is_last = true;
    const auto sessions = Session::all(results, name);
    for (auto session = sessions.rbegin(); session != sessions.rend(); ++session) {
      const Measured there(session->provenance());
      if ((is_last || (here.processor && there.processor)) && !may_be_same_machine(there, here))
        throw InputError(fmt::format(
            "{}: holds results of another machine, {}; this one is {}; accepted: --machine NAME, to start separate results",
            (results / (name + ".csv")).string(), identity_text(there.machine), identity_text(here.machine)));
      is_last = false;
      if (there.processor || !here.processor) break;
    }
  }
}

SourceFacts source_facts(const fs::path& root) {
  // Staged folders have no git history; scripts/stage stores the commit in this file.
  SourceFacts facts{.version = LADDER_VERSION, .commit = "", .unknown = "", .dirty = {}};
  if (std::ifstream staged(root / "source.json"); staged) try {
      JsonReader(false).read(nlohmann::ordered_json::parse(staged), {"source", "", ""}, facts);
      return facts;
    } catch (const std::exception& e) {
      return {.version = LADDER_VERSION, .commit = "", .unknown = "source.json: " + one_line(e.what()), .dirty = {}};
    }
  if (found_on_path("git").empty()) {
    facts.unknown = "there is no git on PATH";
    return facts;
  }
  const auto ask = [&](const std::vector<std::string>& arguments) { return run_git(root, arguments); };
  // Fails if the tree merely lies inside another project's checkout.
  ProcessResult answer = ask({"ls-files", "--error-unmatch", "CMakeLists.txt"});
  if (succeeded(answer)) answer = ask({"rev-parse", "--verify", "HEAD"});
  if (succeeded(answer))
    facts.commit = one_line(answer.out);
  else
    facts.unknown = answer.end == ProcessResult::End::timed_out ? "git takes too long" : "git: " + one_line(answer.err);
  if (facts.commit.empty()) return facts;
  if (answer = ask({"status", "--porcelain", "--", ".", ":!experiments"}); succeeded(answer)) facts.dirty = !answer.out.empty();
  return facts;
}

Session Session::start(const fs::path& results, const std::string& machine, Provenance provenance) {
  Session session;
  std::string stamp = utc_now();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  do {
    session.id_ = fmt::format("{}-{:04x}", stamp, std::random_device()() & 0xffffu);
    session.file_ = results / fmt::format("{}.{}.json", machine, session.id_);
  } while (fs::exists(fs::symlink_status(session.file_)));
  session.provenance_ = std::move(provenance);
  session.provenance_.session = session.id_;
  session.save();
  return session;
}

std::vector<Session> Session::all(const fs::path& results, const std::string& machine) {
  std::vector<Session> sessions;
  std::error_code error;
  const fs::directory_iterator entries(results, error);
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw InputError(fmt::format("{}: cannot be read: {}", results.string(), error.message()));
  for (const auto& entry : entries) {
    const std::string name = stored_name(entry.path());
    if (!name.starts_with(machine + ".") || !name.ends_with(".json")) continue;
    if (entry.path() != results / name && fs::exists(results / name)) continue;  // the same session, compressed
    // Sessions of profiles and timelines are stored in `<machine>.profile.<session>.json`; they are not continued.
    if (name.find('.', machine.size() + 1) != name.size() - 5 || !entry.is_regular_file(error)) continue;
    Session session;
    session.id_ = name.substr(machine.size() + 1, name.size() - machine.size() - 6);
    session.file_ = results / name;
    // A file that cannot be read may contain a session. Continuing without it would measure all its rows again.
    const std::string text = read_stored(session.file_);
    try {
      session.provenance_ = parse_provenance(session.file_, text);
    } catch (const InputError&) {
      continue;  // reports name it; it cannot be continued
    }
    sessions.push_back(std::move(session));
  }
  std::sort(sessions.begin(), sessions.end(), [](const Session& a, const Session& b) { return a.id_ < b.id_; });
  return sessions;
}

void Session::save() const {
  uncompress_stored(file_);
  write_files(file_.parent_path(), {{file_.filename().string(), provenance_text(provenance_)}});
}

}  // namespace ladder
