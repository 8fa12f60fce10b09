#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "tests/support/folder.hpp"

namespace ladder::test {

constexpr const char* skeleton = "d2q9/serial/01_skeleton";
constexpr const char* tuned = "d2q9/opencl/08_tuned";

/// A `ladder` program with two rungs and the OpenMP ceilings, in a separate folder, plus an empty work folder.
class Installation {
 public:
  /// `more`: executables of further rungs; `environment`: further variables.
  explicit Installation(const std::vector<std::filesystem::path>& more = {}, Environment environment = {});

  /// The folder for the test's files. LADDER_ROOT points to it, so studies are found in its experiments/.
  [[nodiscard]] const Folder& work() const { return work_; }
  [[nodiscard]] std::string path(const std::string& name) const { return (work_.path() / name).string(); }

  /// Runs `ladder ARGUMENTS`.
  [[nodiscard]] ProcessResult ladder(const std::vector<std::string>& arguments) const;
  /// Runs a script with /bin/sh. It can call the program as "$LADDER" and the rung's executable as "$SKELETON".
  [[nodiscard]] ProcessResult shell(const std::string& script) const;
  /// Runs a script of the work folder in its own mount namespace. The exit code is 77 if there can be none.
  [[nodiscard]] ProcessResult shell_with_mounts(const std::string& script) const;
  /// Runs `ladder ARGUMENTS` on a machine that seems idle, because the work folder's file `stat` hides /proc/stat. Its script
  /// `spend USER STEAL` adds clock ticks of other processes and of the hypervisor. `before`: shell commands that come first.
  /// The exit code is 77 if this cannot be done.
  [[nodiscard]] ProcessResult ladder_on_idle_machine(const std::string& arguments, const std::string& before = "") const;
  /// Runs the rung's executable.
  [[nodiscard]] ProcessResult rung(const std::string& id, const std::vector<std::string>& arguments) const;
  /// Whether the rung can run here; prints the reason if it cannot.
  [[nodiscard]] bool can_run(const std::string& id) const;

  /// Adds a rung with this description and, as its executable, a shell script. Returns the script's folder.
  std::filesystem::path add_rung(const std::string& description, const std::string& script) const;
  /// Adds a line to the manifest.
  void add_to_manifest(const std::string& line) const;
  /// Copies the model's ladders of these backends into the work folder.
  void copy_variants(const std::vector<std::string>& backends) const;
  /// Copies all sources that rungs are built from into the work folder.
  void copy_sources() const;

  /// Starts `ladder ARGUMENTS` in a new process group and does not wait for it. Its output goes to two files.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments, const std::string& out = "/dev/null",
                            const std::string& err = "/dev/null") const;
  /// Ids of all running processes that were started here, directly or indirectly.
  [[nodiscard]] std::vector<pid_t> processes() const;

  /// Writes experiments/<name>/study.toml and returns its path.
  std::string study(const std::string& name, const std::string& text) const;

 private:
  [[nodiscard]] Environment environment() const;

  Environment more_environment_;
  Folder program_;
  Folder work_;
};

/// The description of a rung that is a script, with one case (box-16), in f32 and without tunables.
std::string description_of(const std::string& id);

/// Lines of a text, without the empty rest after the last line break.
std::vector<std::string> lines(const std::string& text);

}  // namespace ladder::test
