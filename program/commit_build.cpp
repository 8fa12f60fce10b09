#include "program/commit_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/identity.hpp"
#include "harness/record/outcome.hpp"
#include "harness/run/git.hpp"
#include "harness/run/session.hpp"
#include "program/new_rung.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr double build_timeout_seconds = 4 * 3600;
const std::string build_prefix = "commit-";

std::string environment_or(const char* name, const std::string& other) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? other : value;
}

/// `d2q9/serial/04_fused@v1.0`
std::string name_of(const std::string& id, const std::string& commit) { return id + "@" + commit; }

/// The commit's full hash. @throws InputError
std::string hash_of_commit(const fs::path& root, const std::string& id, const std::string& commit) {
  // Also fails if the tree merely lies inside another project's checkout.
  if (const SourceFacts facts = source_facts(root); facts.commit.empty())
    throw InputError(fmt::format("{}: {} has no git history: {}; accepted: a clone of the repository", name_of(id, commit),
                                 root.string(), facts.unknown));
  const ProcessResult answer = run_git(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}"});
  if (succeeded(answer)) return one_line(answer.out);
  const bool is_shallow = one_line(run_git(root, {"rev-parse", "--is-shallow-repository"}).out) == "true";
  throw InputError(fmt::format("{}: unknown commit '{}'; accepted: a hash, branch or tag of this repository, or e.g. HEAD~1{}",
                               name_of(id, commit), commit,
                               is_shallow ? " (this clone is shallow; `git fetch --unshallow` fetches all commits)" : ""));
}

/// Runs a step of the build. @throws Unavailable, after showing its output, if it fails
void require_success(const std::string& what, const ProcessResult& result, const fs::path& log) {
  if (succeeded(result)) return;
  const std::string output = result.out + result.err;
  write_file(log, output);
  print_err("{}\n", output);
  throw Unavailable(fmt::format("{}; its log, {}, is shown above", what, log.string()));
}

/// Copies the commit's files, without stored results, into the new folder `tree`.
void copy_sources(const fs::path& root, const std::string& hash, const fs::path& tree) {
  const fs::path unfinished = tree.string() + ".new";
  const fs::path archive = tree.string() + ".tar";
  fs::remove_all(unfinished);
  fs::create_directories(unfinished);
  const fs::path log = tree.string() + ".log";
  const std::string what = fmt::format("commit {} cannot be copied", hash);
  require_success(
      what, run_git(root, {"archive", "--format=tar", "--output=" + archive.string(), hash, "--", ".", ":!experiments"}, 600),
      log);
  require_success(what, run_process("/usr/bin/env", {"tar", "-xf", archive.string(), "-C", unfinished.string()}, 600), log);
  fs::remove(archive);
  fs::rename(unfinished, tree);
}

/// The commit's rung, built or not. @throws InputError
Executable rung_in(const fs::path& bin, const fs::path& tree, const std::string& name, const std::string& id) try {
  return Catalogue(bin, tree).rung(id);
} catch (const InputError& e) {
  throw InputError(fmt::format("{}: in this commit: {}", name, e.what()));
}

InputError older_protocol(const std::string& name, const std::string& problem) {
  return InputError(fmt::format("{}: its executable speaks an older protocol than this program: {}; accepted: a later commit",
                                name, problem));
}

std::string name_of(const Executable& rung) { return rung.root.empty() ? rung.id : name_of(rung.id, commit_of(rung.build)); }

/// The executable's answer to `case`. @throws InputError
CaseFacts facts_of(const Executable& rung, const std::string& case_name) {
  constexpr double timeout = 60;
  const ProcessResult result = run_process(rung.path, {"case", "--case", case_name}, timeout);
  const Outcome outcome = outcome_of(result, timeout);
  if (outcome.name != "ok") throw InputError(fmt::format("{}: {}", name_of(rung), outcome.reason));
  if (const auto facts = parse_case(result.out)) return *facts;
  throw older_protocol(name_of(rung), "its answer to `case` is invalid");
}

}  // namespace

std::string commit_of(const std::string& build) {
  return build.starts_with(build_prefix) ? build.substr(build_prefix.size()) : "";
}

RungName parse_rung_name(std::string_view text) {
  RungName name;
  const auto colon = text.find(':');
  if (name.has_settings = colon != text.npos; name.has_settings) name.settings = text.substr(colon + 1);
  const std::string_view rung = text.substr(0, colon);
  const auto at = rung.find('@');
  name.id = rung.substr(0, at);
  if (at == rung.npos) return name;
  name.commit = rung.substr(at + 1);
  if (name.commit.empty())
    throw InputError(
        fmt::format("'{}': the commit after '@' is missing; accepted: RUNG or RUNG@COMMIT without a ':' in COMMIT", text));
  return name;
}

Executable build_at_commit(const fs::path& root, const std::string& id, const std::string& commit) {
  const std::string name = name_of(id, commit);
  const std::string hash = hash_of_commit(root, id, commit);
  const std::string digits = hash.substr(0, 12);
  const fs::path folder = root / "build/commits";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  const FolderLock lock(folder);
  const fs::path tree = folder / digits;
  const std::string preset = environment_or("LADDER_PRESET", "release");
  // Processors differ in their instruction sets, and machines may share the folder.
  const fs::path build = tree / "build" / (preset + "-" + machine_name(""));
  const fs::path log = build / "ladder.log";
  if (!fs::exists(tree)) copy_sources(root, hash, tree);
  const auto cmake = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"cmake"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    require_success(fmt::format("{}: its build failed", name), run_process("/usr/bin/env", words, build_timeout_seconds), log);
  };
  // CMake's files name the folder, and compiled code is for the processor.
  const std::string built_for = tree.string() + "\n" + identity_text(machine_facts("")) + "\n";
  const fs::path stamp = build / "built-for";
  if (fs::exists(build) && !(fs::exists(stamp) && read_whole(stamp) == built_for)) {
    print_err("ladder: {} was built in another folder or on another processor; rebuilding\n", build.string());
    fs::remove_all(build);
  }
  if (!fs::exists(build / "bin/manifest.txt")) {
    fs::create_directories(build);
    write_file(stamp, built_for);
    print_err("ladder: configuring commit {} in {}\n", digits, tree.string());
    cmake({"-S", tree.string(), "--preset", preset, "-B", build.string(), "-DBUILD_TESTING=OFF"});
  }
  const std::string target = rung_in(build / "bin", tree, name, id).target;
  if (target.empty()) throw older_protocol(name, "its manifest names no build target");
  print_err("ladder: building {}\n", name);
  cmake({"--build", build.string(), "--parallel",
         environment_or("LADDER_JOBS", std::to_string(std::max(1u, std::thread::hardware_concurrency()))), "--target", target});
  Executable rung = rung_in(build / "bin", tree, name, id);
  if (!rung.fault.empty()) throw older_protocol(name, rung.fault);
  if (!rung.is_built) throw older_protocol(name, "its build wrote no description");
  rung.build = rung.description.build = build_prefix + digits;
  rung.root = tree;
  return rung;
}

void require_same_case(const Executable& a, const Executable& b, const std::string& case_name) {
  const CaseFacts one = facts_of(a, case_name);
  const CaseFacts other = facts_of(b, case_name);
  if (one.content != other.content || one.cells != other.cells)
    throw InputError(fmt::format("case '{}' is not the same problem in {} and {}; accepted: a case that both define alike",
                                 case_name, name_of(a), name_of(b)));
}

}  // namespace ladder
