#include "harness/run/launch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "harness/study/commands.hpp"
#include "roofline/model/machine.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::input_error;

/// Sets variables of this process, and restores them at the end of the test.
class LaunchTest : public testing::Test {
 protected:
  LaunchTest() {
    for (const char* name : {"OMP_NUM_THREADS", "OMP_PLACES", "OMP_PROC_BIND", "SLURM_JOB_ID"})
      set(name, nullptr);
    set("PATH", folder.path().c_str());
  }
  ~LaunchTest() override {
    for (const auto& [name, value] : before_)
      assign(name, value ? value->c_str() : nullptr);
  }

  void set(const std::string& name, const char* value) {
    const char* old = std::getenv(name.c_str());
    before_.try_emplace(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
    assign(name, value);
  }

  /// Puts a program on the PATH that prints its arguments.
  std::string install(const std::string& name) const {
    const fs::path file = folder.write(name, "#!/bin/sh\nprintf '%s ' \"$@\"\n");
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }

  static std::map<std::string, std::string> variables(const Launch& launch) {
    return {launch.environment.begin(), launch.environment.end()};
  }

  test::Folder folder;
  const std::vector<int> cores = this_machine().processors;

 private:
  static void assign(const std::string& name, const char* value) {
    if (value == nullptr)
      unsetenv(name.c_str());
    else
      setenv(name.c_str(), value, 1);
  }
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(LaunchTest, PinsOneThreadToEachCore) {
  const auto all = variables(launch_of({}));
  EXPECT_EQ(all.at("OMP_NUM_THREADS"), std::to_string(cores.size()));
  EXPECT_EQ(std::count(all.at("OMP_PLACES").begin(), all.at("OMP_PLACES").end(), '{'), std::ssize(cores));
  const auto one = variables(launch_of({.threads = 1}));
  EXPECT_EQ(one.at("OMP_NUM_THREADS"), "1");
  EXPECT_EQ(one.at("OMP_PLACES"), "{" + std::to_string(cores.front()) + "}");
  EXPECT_EQ(one.at("OMP_PROC_BIND"), "close");
  EXPECT_TRUE(launch_of({.threads = 1}).prefix.empty());
}

TEST_F(LaunchTest, LeavesTheUsersVariablesButForTheThreadsOfAPlacement) {
  set("OMP_NUM_THREADS", "7");
  set("OMP_PLACES", "sockets");
  EXPECT_EQ(launch_of({}).text(), "OMP_NUM_THREADS=7 OMP_PLACES=sockets OMP_PROC_BIND=close");
  EXPECT_EQ(launch_of({.threads = 1}).text(), "OMP_NUM_THREADS=1 OMP_PLACES=sockets OMP_PROC_BIND=close");
}

TEST_F(LaunchTest, TellsARungItsNumberOfDevices) {
  EXPECT_EQ(variables(launch_of({.devices = 3})).at("LADDER_DEVICES"), "3");
  EXPECT_EQ(variables(launch_of({})).count("LADDER_DEVICES"), 0u) << "the key of other cells contains the environment";
  set("LADDER_DEVICES", "4");
  EXPECT_EQ(variables(launch_of({})).at("LADDER_DEVICES"), "1");
}

TEST_F(LaunchTest, BindsNoThreadsInChecksWhoseReferenceHasThreadsOfItsOwn) {
  const fs::path file = folder.write("rung", "#!/bin/sh\nprintf %s \"$OMP_PROC_BIND\"\n");
  fs::permissions(file, fs::perms::owner_all);
  const auto bound = [&](const char* command) { return run_launched(launch_of({}), file, {command}, 20).out; };
  EXPECT_EQ(bound("measure"), "close");
  EXPECT_EQ(bound("check"), "false");
  set("OMP_PROC_BIND", "spread");
  EXPECT_EQ(bound("check"), "spread");
}

TEST_F(LaunchTest, IsUnavailableWithoutCoresOrLauncher) {
  const auto why = [](const Placement& placement, const std::vector<std::string>& command) {
    try {
      launch_of(placement, command);
    } catch (const Unavailable& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(why({.threads = 1 << 19}, {}), "this machine has"));
  EXPECT_TRUE(contains(why({.processes = 1 << 19}, {}), "this machine has"));
  EXPECT_TRUE(contains(why({.nodes = 2, .processes = 2}, {}), "no launcher: neither mpirun nor srun"));
  EXPECT_TRUE(contains(why({.nodes = 2, .processes = 2}, {"mpiexec", "{processes}"}), "no launcher: mpiexec"));
  install("mpirun");
  EXPECT_TRUE(contains(why({.nodes = 2, .processes = 2}, {}), "nodes=2: mpirun starts processes without regard to nodes"));
}

TEST_F(LaunchTest, StartsSeveralProcessesThroughALauncher) {
  const std::string srun = install("srun");
  const Placement placement = {.nodes = 2, .processes = 4, .threads = 3};
  EXPECT_EQ(launch_of(placement).prefix.front(), srun);
  const std::string mpirun = install("mpirun");
  EXPECT_EQ(launch_of(placement).prefix.front(), srun) << "mpirun would start all processes here";
  if (cores.size() < 2) GTEST_SKIP() << "two processes need two cores";
  const Launch launch = launch_of({.processes = 2, .threads = 1});
  EXPECT_TRUE(contains(launch.text(), mpirun + " -n 2 --map-by slot:PE=1"));
  EXPECT_TRUE(contains(launch.text(), "OMP_NUM_THREADS=1 OMP_PLACES=cores"));
  EXPECT_TRUE(contains(run_launched(launch, "/rung", {"probe"}, 20).out, "-n 2 --map-by slot:PE=1"));
  EXPECT_TRUE(contains(run_launched(launch, "/rung", {"probe"}, 20).out, "OMP_PROC_BIND /rung probe "));
  set("SLURM_JOB_ID", "1");
  EXPECT_TRUE(contains(launch_of(placement).text(), srun + " --nodes=2 --ntasks=4 --cpus-per-task=3"));
  const std::vector<std::string> own = {mpirun, "{processes}x{threads}", "{nodes}", "{devices}"};
  EXPECT_TRUE(contains(launch_of(placement, own).text(), mpirun + " 4x3 2 1 OMP"));
}

TEST_F(LaunchTest, AcceptsACommandThatTellsTheNumberOfProcesses) {
  EXPECT_NO_THROW(require_launcher({"mpirun", "-n", "{processes}"}));
  EXPECT_NO_THROW(require_launcher({"srun", "-N{nodes}", "-n{processes}", "-c{threads}", "--gpus-per-task={devices}"}));
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"mpirun"}, Words{"mpirun", "-n", "{process}"}, Words{"mpirun", "{processes}", "{ranks}"},
                             Words{"", "{processes}"}})
    EXPECT_TRUE(contains(input_error([&] { require_launcher(words); }), "accepted is a command with {processes}"));
}

TEST_F(LaunchTest, TellsALauncherThatRefusesFromAProgramThatFails) {
  const auto launched = [&](const std::string& script) {
    const fs::path launcher = folder.write("launcher", "#!/bin/sh\n" + script);
    fs::permissions(launcher, fs::perms::owner_all);
    return run_launched({.prefix = {launcher.string()}, .environment = {}}, "/bin/true", {}, 10);
  };
  const ProcessResult refused = launched("printf -- '-----\\nno slots\\n-----\\n' >&2\nexit 1\n");
  EXPECT_EQ(refused.code, exit_unavailable);
  EXPECT_EQ(refused.err, "launcher did not start it: no slots\n");
  EXPECT_EQ(launched("exit 1\n").err, "launcher did not start it: exit code 1\n");
  EXPECT_TRUE(contains(launched("echo 'root! set OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM' >&2\nexit 1\n").err,
                       "it refuses root, unless OMPI_ALLOW_RUN_AS_ROOT=1"));
  EXPECT_EQ(launched("echo '{}'\nexit 1\n").code, exit_check_failed) << "the program answered";
  EXPECT_EQ(launched("exit 134\n").code, 134);
  for (const char* good : {R"({"outcome": "ok"})", R"({"benchmarks": []})"}) {
    const ProcessResult failed = launched("echo '" + std::string(good) + "'\necho 'lost a node' >&2\nexit 1\n");
    EXPECT_EQ(failed.code, exit_unavailable) << good;
    EXPECT_EQ(failed.err, "launcher failed after the answer: lost a node\n");
  }
  EXPECT_EQ(launched("echo '{\"outcome\": \"wrong\"}'\nexit 1\n").code, exit_check_failed);
  EXPECT_EQ(launched("exit 7\n").err, "launcher did not start it: exit code 7\n") << "no executable exits with this code";
  EXPECT_EQ(launched("echo bye\nexit 7\n").err, "launcher did not start it: exit code 7\n");
  EXPECT_EQ(launched("echo '{\"outcome\": \"ok\"}'\nexit 7\n").err, "launcher failed after the answer: exit code 7\n");
  EXPECT_EQ(launched("echo '{\"outcome\": \"ok\"}'\nkill -9 $$\n").err, "launcher failed after the answer: signal 9\n");
}

TEST_F(LaunchTest, FindsTheAnswerInTheTextOfTheLauncher) {
  set("PATH", "/usr/bin:/bin");
  const auto launched = [&](const std::string& out) {
    const fs::path launcher = folder.write("launcher", "#!/bin/sh\ncat " + folder.write("out", out).string() + "\n");
    fs::permissions(launcher, fs::perms::owner_all);
    return run_launched({.prefix = {launcher.string()}, .environment = {}}, "/bin/true", {}, 10).out;
  };
  const std::string answer = "{\"benchmarks\": [\n  {\"cells\": 256}\n]}";
  for (const char* before : {"", "job 7 starts\n", "{node 1}: ready\n{\n", "\n\n"})
    for (const char* after : {"", "\n", "\njob 7 ends\n", "\n{\n", " on node 1\n"})
      EXPECT_EQ(launched(before + answer + after), answer) << before << "..." << after;
  const std::string event = R"({"event": "start", "code": 0})";
  for (const std::string& answered : {answer, std::string(R"({"outcome": "wrong"})"), std::string(R"({"code": "no-device"})"),
                                      std::string(R"({"available": true})"), std::string(R"({"footprint_bytes": 8})")})
    EXPECT_EQ(launched(event + "\n" + answered + "\n" + event + "\n"), answered);
  EXPECT_EQ(launched("{\"outcome\": \"ok\"}\n" + answer + "\n"), answer) << "the last";
  EXPECT_EQ(launched(event), event) << "no answer";
  EXPECT_EQ(launched("job 7\n"), "job 7\n");
  EXPECT_EQ(launched("job 7: " + answer), "job 7: " + answer);
}

TEST_F(LaunchTest, FindsTheFaultOfALauncher) {
  set("PATH", "/usr/bin:/bin");
  const auto fault = [&](const std::string& script, Lines lines = Lines::must_be_whole) {
    const fs::path launcher = folder.write("launcher", "#!/bin/sh\n" + script);
    fs::permissions(launcher, fs::perms::owner_all);
    return launcher_fault({.prefix = {launcher.string()}, .environment = {}, .processes = 2}, lines);
  };
  EXPECT_EQ(launcher_fault({}, Lines::must_be_whole), "") << "no launcher";
  EXPECT_EQ(fault("echo starts; \"$@\"; \"$@\"; echo ends"), "");
  EXPECT_EQ(fault("\"$@\""), "launcher started echo 1 times instead of 2");
  EXPECT_EQ(fault("echo 'no slots' >&2"), "launcher started echo 0 times instead of 2: no slots");
  EXPECT_EQ(fault("echo none; exit 2"), "launcher failed: exit code 2");
  const std::string labels = "\"$@\" | sed 's/^/0: /'; \"$@\" | sed 's/^/1: /'";
  EXPECT_EQ(fault(labels),
            "launcher changes the lines that a program prints: '0: {\"process-of-ladder\": [{\"------------ …' (935 bytes); "
            "accepted: '{\"process-of-ladder\": [{\"--------------- …' (932 bytes)");
  EXPECT_TRUE(contains(fault("for i in 1 2; do sh -c \"$*\"; done"), "changes the lines that a program prints: '{process-of-"));
  EXPECT_TRUE(contains(fault("for i in 1 2; do \"$@\" | fold -w 512; done"), "(512 bytes); accepted: "));
  EXPECT_EQ(fault(labels, Lines::may_change), "");
}

TEST_F(LaunchTest, TellsALauncherThatStartsAnotherNumberOfProcessesOrNodes) {
  const auto launched = [&](const std::string& answer) {
    const fs::path launcher = folder.write("launcher", "#!/bin/sh\necho '" + answer + "'\n");
    fs::permissions(launcher, fs::perms::owner_all);
    const Launch launch = {.prefix = {launcher.string()}, .environment = {}, .nodes = 2, .processes = 4};
    const ProcessResult result = run_launched(launch, "/bin/true", {}, 10);
    EXPECT_EQ(result.code == exit_unavailable, is_launcher_failure(launch, result)) << result.err;
    return result.code == exit_unavailable ? result.err : "ok";
  };
  EXPECT_EQ(launched(R"({"outcome": "ok", "processes": 4, "nodes": 2})"), "ok");
  EXPECT_EQ(launched(R"({"outcome": "ok"})"), "ok") << "not every answer says it";
  EXPECT_EQ(launched(R"({"benchmarks": [{"processes": 4.0, "nodes": 2.0}]})"), "ok");
  EXPECT_EQ(launched(R"({"benchmarks": [{"processes": 1.0, "nodes": 1.0}]})"),
            "launcher did not start it: 1 process on 1 node answered instead of 4 processes on 2 nodes\n");
  EXPECT_TRUE(contains(launched(R"({"footprint_bytes": 8, "processes": 1, "nodes": 1})"), "1 process on 1 node answered"));
  EXPECT_EQ(launched(R"({"outcome": "ok", "processes": 1, "nodes": 1})"),
            "launcher did not start it: 1 process on 1 node answered instead of 4 processes on 2 nodes\n");
  EXPECT_EQ(launched(R"({"outcome": "ok", "processes": 4, "nodes": 1})"),
            "launcher did not start it: 4 processes on 1 node answered instead of 4 processes on 2 nodes\n");
  const std::string alone = R"({"outcome": "ok", "processes": 1, "nodes": 1})";
  EXPECT_TRUE(contains(launched(alone + "\n" + alone), "1 process on 1 node answered"));
}

}  // namespace
}  // namespace ladder
