#include "harness/program/session.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
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
  // A staged folder has no history; scripts/stage wrote down what it was made of.
  if (std::ifstream staged(root / "source.json"); staged) {
    Json facts = Json::parse(staged, nullptr, false);
    return facts.is_object() ? facts : Json::object();
  }
  const char* git = "/usr/bin/git";
  if (!fs::exists(git)) return Json::object();
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", root.string()});
    const ProcessResult answer = run_process(git, arguments, 20);
    return succeeded(answer) ? one_line(answer.out) : std::string();
  };
  const std::string commit = ask({"rev-parse", "HEAD"});
  if (commit.empty()) return Json::object();
  return {{"commit", commit}, {"dirty", !ask({"status", "--porcelain", "--", ".", ":!experiments"}).empty()}};
}

Json parse_provenance(std::string_view text) {
  constexpr int deepest = 100;  // what is deeper is none of ours, and would take a stack frame a level to write again
  bool is_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    is_deep = is_deep || depth > deepest;
    return true;
  };
  Json json = Json::parse(text, look, false);
  const auto is = [&](const char* name, auto holds) {
    const auto found = json.find(name);
    return found == json.end() || holds(*found);
  };
  const auto texts = [](const Json& j) {
    return j.is_array() && std::all_of(j.begin(), j.end(), [](const Json& t) { return t.is_string(); });
  };
  const auto numbers = [](const Json& j) {
    return j.is_object() && std::all_of(j.begin(), j.end(), [](const Json& n) { return n.is_number(); });
  };
  const auto is_text = [](const Json& j) { return j.is_string(); };
  const bool is_ours = json.is_object() && !is_deep && is("plan", is_text) && is("cells", texts) && is("timing", numbers);
  return is_ours ? json : Json();
}

Session Session::start(const fs::path& results, const std::string& machine, Json provenance) {
  Session session;
  std::string stamp = utc_now();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  session.id_ = fmt::format("{}-{:04x}", stamp, std::random_device()() & 0xffffu);
  // The last session is the one whose id sorts last, though two may begin within a second and clocks are set back.
  const auto earlier = Session::all(results, machine);
  if (!earlier.empty() && session.id_ <= earlier.back().id_) session.id_ = earlier.back().id_ + "-" + session.id_;
  session.file_ = results / fmt::format("{}.{}.json", machine, session.id_);
  session.provenance_ = std::move(provenance);
  session.provenance_["session"] = session.id_;
  session.save();
  return session;
}

std::vector<Session> Session::all(const fs::path& results, const std::string& machine) {
  std::vector<Session> sessions;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(machine + ".") || !name.ends_with(".json")) continue;
    // Those of profiles are `<machine>.profile.<session>.json`: nothing is carried on from them.
    if (name.find('.', machine.size() + 1) != name.size() - 5) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    auto provenance = parse_provenance(std::string(std::istreambuf_iterator<char>(file), {}));
    if (provenance.is_null()) continue;
    Session& session = sessions.emplace_back();
    session.id_ = name.substr(machine.size() + 1, name.size() - machine.size() - 6);
    session.file_ = entry.path();
    session.provenance_ = std::move(provenance);
  }
  std::sort(sessions.begin(), sessions.end(), [](const Session& a, const Session& b) { return a.id_ < b.id_; });
  return sessions;
}

void Session::save() const { write_files(file_.parent_path(), {{file_.filename().string(), provenance_.dump(1) + "\n"}}); }

}  // namespace ladder
