#include "tests/cli/installation.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

/// Catches processes that hang. Compiling OpenCL kernels for the first time on a busy machine takes minutes.
constexpr double timeout_seconds = 600;

/// Runs a process that exits or is ended by a signal. @throws std::runtime_error if it hangs
ProcessResult run(const fs::path& executable, const std::vector<std::string>& arguments, const Environment& environment = {}) {
  ProcessResult result = run_process(executable, arguments, timeout_seconds, environment);
  if (result.end == ProcessResult::End::timed_out)
    throw std::runtime_error(executable.string() + " did not end in " + std::to_string(timeout_seconds) +
                             " s; it said: " + result.err);
  return result;
}

}  // namespace

Installation::Installation(const std::vector<fs::path>& more, Environment environment)
    : more_environment_(std::move(environment)) {
  const fs::path from = LADDER_BIN;
  const fs::path to = program_.path();
  std::string manifest;
  const auto install = [&](const std::string& kind, const std::string& path) {
    fs::create_directories((to / path).parent_path());
    fs::create_symlink(from / path, to / path);
    fs::create_symlink(from / (path + ".json"), to / (path + ".json"));
    manifest += kind + " " + path + "\n";
  };
  install("rung", std::string("rungs/") + skeleton + "/default");
  install("rung", std::string("rungs/") + tuned + "/default");
  install("ceilings", "ceilings/openmp");
  install("format", "formats/uob-hpc");
  for (const auto& executable : more) {
    const std::string path = "rungs/" + executable.filename().string();
    fs::create_symlink(executable, to / path);
    program_.write(path + ".json", run(executable, {"describe"}).out);
    manifest += "rung " + path + "\n";
  }
  program_.write("manifest.txt", manifest);
  // A copy, because the program looks for the manifest and its libraries next to its executable.
  fs::create_directory_symlink(from / "lib", to / "lib");
  fs::copy_file(from / "ladder", to / "ladder");
}

Environment Installation::environment() const {
  Environment all = {{"LADDER_ROOT", work_.path().string()}, {"OMP_NUM_THREADS", "2"}, {"OMP_WAIT_POLICY", "passive"}};
  all.insert(all.end(), more_environment_.begin(), more_environment_.end());
  return all;
}

ProcessResult Installation::ladder(const std::vector<std::string>& arguments) const {
  return run(program_.path() / "ladder", arguments, environment());
}

ProcessResult Installation::shell(const std::string& script) const {
  Environment all = environment();
  all.emplace_back("LADDER", program_.path() / "ladder");
  all.emplace_back("SKELETON", program_.path() / "rungs" / skeleton / "default");
  return run("/bin/sh", {"-c", "cd \"$LADDER_ROOT\" && " + script}, all);
}

ProcessResult Installation::shell_with_mounts(const std::string& script) const {
  return shell(
      "if unshare -m true 2>/dev/null; then own=-m; else own=-rm; fi\n"
      "unshare $own true || exit 77\n"
      "exec unshare $own sh " +
      script);
}

ProcessResult Installation::ladder_on_idle_machine(const std::string& arguments, const std::string& before) const {
  work_.write("stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
  const fs::path spend =
      work_.write("spend", "#!/bin/sh\nread -r cpu user nice system idle wait irq softirq steal rest <" + path("stat") +
                               "\necho \"cpu $((user + $1)) 0 0 0 0 0 0 $((steal + $2)) 0 0\" >" + path("stat") + "\n");
  fs::permissions(spend, fs::perms::owner_all);
  work_.write("idle", "mount --bind stat /proc/stat || exit 77\n" + before + "\nexec \"$LADDER\" " + arguments + "\n");
  return shell_with_mounts("idle");
}

ProcessResult Installation::rung(const std::string& id, const std::vector<std::string>& arguments) const {
  return run(program_.path() / "rungs" / id / "default", arguments, environment());
}

bool Installation::can_run(const std::string& id) const {
  const ProcessResult answer = rung(id, {"probe"});
  const auto json = nlohmann::json::parse(answer.out, nullptr, false);
  if (json.is_object() && json.value("available", false)) return true;
  std::cout << id << " cannot run here: " << answer.out << answer.err << '\n';
  return false;
}

fs::path Installation::add_rung(const std::string& description, const std::string& script) const {
  const std::string folder = "rungs/" + nlohmann::json::parse(description).at("id").get<std::string>();
  fs::create_directories(program_.path() / folder);
  const fs::path executable = program_.write(folder + "/default", script);
  fs::permissions(executable, fs::perms::owner_all);
  program_.write(folder + "/default.json", description);
  add_to_manifest("rung " + folder + "/default");
  return executable.parent_path();
}

void Installation::add_to_manifest(const std::string& line) const {
  program_.write("manifest.txt", program_.read("manifest.txt") + line + "\n");
}

void Installation::copy_variants(const std::vector<std::string>& backends) const {
  for (const auto& backend : backends) {
    const fs::path folder = fs::path("variants/d2q9") / backend;
    fs::create_directories((work_.path() / folder).parent_path());
    fs::copy(fs::path(LADDER_SOURCE) / folder, work_.path() / folder, fs::copy_options::recursive);
  }
}

void Installation::copy_sources() const {
  for (const char* folder : {"variants", "backends", "roofline"})
    fs::copy(fs::path(LADDER_SOURCE) / folder, work_.path() / folder, fs::copy_options::recursive);
}

pid_t Installation::start(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) const {
  std::vector<std::string> words = {(program_.path() / "ladder").string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) {
    setpgid(child, child);
    return child;
  }
  setpgid(0, 0);
  for (const auto& [name, value] : environment())
    setenv(name.c_str(), value.c_str(), 1);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

std::vector<pid_t> Installation::processes() const {
  std::vector<pid_t> all;
  const std::string mark = "LADDER_ROOT=" + work_.path().string();
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    for (std::string variable; std::getline(file, variable, '\0');)
      if (variable == mark) all.push_back(std::stoi(name));
  }
  return all;
}

std::string Installation::study(const std::string& name, const std::string& text) const {
  const std::string folder = "experiments/" + name;
  fs::create_directories(work_.path() / folder);
  return work_.write(folder + "/study.toml", text).string();
}

std::string description_of(const std::string& id) {
  const std::size_t slash = id.find('/');
  const std::string backend = id.substr(slash + 1, id.rfind('/') - slash - 1);
  using Json = nlohmann::ordered_json;
  const Json description = {{"id", id},
                            {"model", id.substr(0, slash)},
                            {"backend", backend},
                            {"build", "default"},
                            {"follows", ""},
                            {"idea", "as told"},
                            {"layout", "none"},
                            {"traffic", "none"},
                            {"source", "none"},
                            {"bound", "none"},
                            {"compiler", "none"},
                            {"flags", "none"},
                            {"lattices", 2},
                            {"collision", "factored"},
                            {"operations", Json::array({{{"form", "factored"}, {"add", 85}, {"total", 85}}})},
                            {"q", 9},
                            {"reach", 1},
                            {"bytes_per_update", {{"f32", {{"read", 36}, {"write", 36}}}}},
                            {"bytes_per_update_minimum", {{"f32", 72}}},
                            {"tunables", Json::array()},
                            {"constraints", Json::array()},
                            {"observable", "average speed"},
                            {"cases", Json::array({"box-16"})}};
  return description.dump();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    all.push_back(line);
  return all;
}

}  // namespace ladder::test
