#include "harness/program/session.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "backends/status.hpp"
#include "harness/error.hpp"
#include "harness/output.hpp"
#include "harness/program/process.hpp"
#include "harness/program/text.hpp"
#include "roofline/machine.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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
    if (slug(given) != given)
      throw InputError(fmt::format("machine name '{}': accepted are lower-case letters, digits and dashes", given));
    return given;
  }
  const Machine machine = this_machine();
  std::string name = machine.processor;
  if (const auto at = name.find(" CPU"); at != std::string::npos) name.resize(at);
  return fmt::format("{}-{}c", slug(name), machine.cores);
}

Json machine_facts(const std::string& name) {
  const Machine machine = this_machine();
  utsname system{};
  uname(&system);
  Json facts = {{"name", name},
                {"cpu", machine.processor},
                {"cores", machine.cores},
                {"memory_bytes", machine.memory_bytes},
                {"os", operating_system()},
                {"kernel", system.release},
                {"load_average", load_average()}};
  facts["caches"] = Json::array();
  for (const auto& cache : machine.caches)
    facts["caches"].push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"count", cache.count}});
  return facts;
}

Json source_facts(const fs::path& root) {
  const char* git = "/usr/bin/git";
  if (!fs::exists(git)) return Json::object();
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", root.string()});
    const ProcessResult answer = run_process(git, arguments, 20);
    return answer.code == 0 ? one_line(answer.out) : std::string();
  };
  const std::string commit = ask({"rev-parse", "HEAD"});
  if (commit.empty()) return Json::object();
  return {{"commit", commit}, {"dirty", !ask({"status", "--porcelain", "--", ".", ":!experiments"}).empty()}};
}

Session Session::start(const fs::path& results, const std::string& machine, Json provenance) {
  Session session;
  std::string stamp = utc_now();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  session.id_ = fmt::format("{}-{:04x}", stamp, std::random_device()() & 0xffffu);
  // The last session is the one whose id sorts last, though two may begin within a second and clocks are set back.
  if (const std::string last = Session::last(results, machine).id(); session.id_ <= last)
    session.id_ = last + "-" + session.id_;
  session.file_ = results / fmt::format("{}.{}.json", machine, session.id_);
  session.provenance_ = std::move(provenance);
  session.provenance_["session"] = session.id_;
  session.save();
  return session;
}

Session Session::last(const fs::path& results, const std::string& machine) {
  Session session;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(machine + ".") || !name.ends_with(".json")) continue;
    const std::string id = name.substr(machine.size() + 1, name.size() - machine.size() - 6);
    if (id <= session.id_) continue;
    std::ifstream file(entry.path());
    auto provenance = Json::parse(file, nullptr, false);
    if (!provenance.is_object()) continue;
    session.id_ = id;
    session.file_ = entry.path();
    session.provenance_ = std::move(provenance);
  }
  return session;
}

void Session::save() const { write_files(file_.parent_path(), {{file_.filename().string(), provenance_.dump(1) + "\n"}}); }

}  // namespace ladder
