#include "harness/run/contender.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "harness/record/rows.hpp"
#include "harness/study/formats.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Sets `content` and `files`. `command`: the words in the study.
void read_files(Contender& contender, const std::string& name, const std::vector<std::string>& command) {
  const ForeignProgram& program = contender.program;
  const auto hash_of_next = [&](const fs::path& file) {
    contender.files.push_back(state_of(file));
    return hash_of_file(file);
  };
  std::string& text = contender.content;
  text = fmt::format("{} {} {} {} {} {} {}", name, program.format, fmt::join(command, "\x1f"), fmt::join(program.files, "\x1f"),
                     program.time, program.rate, program.check_steps);
  if (!program.time_unit.empty()) text += " " + program.time_unit;
  for (std::size_t i = 1; i < command.size(); ++i) {
    if (!fs::path(command[i]).is_absolute()) continue;
    // A script after its interpreter, or another program. Other files, e.g. logs, may change during the run.
    const bool is_code = i == 1 || access(command[i].c_str(), X_OK) == 0;
    text += " " + (is_code ? hash_of_next(command[i]) : hash_of_file(command[i]));
  }
  for (const fs::path need : program.needs)
    text += fmt::format(" {} {}", need.filename().string(), hash_of_next(need));
}

/// The program's name, to be searched on PATH, or its path.
std::string name_of(const ContenderBlock& block, const fs::path& folder) {
  const fs::path first = block.command.front();
  return first.has_parent_path() ? (folder / first).lexically_normal().string() : first.string();
}

}  // namespace

std::string program_of(const ContenderBlock& block, const fs::path& folder) { return found_on_path(name_of(block, folder)); }

Contender find_contender(const ContenderBlock& block, const fs::path& folder) {
  auto found = base_of<ForeignProgram>(block);
  const std::string program = program_of(block, folder);
  if (program.empty())
    throw InputError(fmt::format(
        "contender '{}': command: '{}' is not an executable file{}", block.name, name_of(block, folder),
        fs::path(block.command.front()).has_parent_path() ? "" : " on PATH; accepted: one on PATH, or a path with '/'"));
  found.command.front() = fs::absolute(program).string();
  found.needs.clear();
  std::error_code unknown;
  const fs::path temporary = fs::temp_directory_path(unknown);
  const fs::space_info space = fs::space(temporary, unknown);
  std::uintmax_t bytes = 0;
  for (const auto& need : block.needs) {
    const fs::path file = fs::absolute(folder / need).lexically_normal();
    std::error_code none;
    if (!fs::is_regular_file(file, none))
      throw InputError(fmt::format("contender '{}': needs: {}: no such file", block.name, file.string()));
    // Files are copied into one folder, next to the inputs.
    const fs::path base = file.filename();
    const auto same = [&](const fs::path& other) { return other.filename() == base; };
    const std::vector<std::string>& inputs = contender_format(block.format).inputs;
    if (std::ranges::find(inputs, base.string()) != inputs.end() || std::ranges::any_of(found.needs, same))
      throw InputError(
          fmt::format("contender '{}': needs: {}: another file has this name; accepted: files of different names{}{}",
                      block.name, file.string(), inputs.empty() ? "" : ", other than ", fmt::join(inputs, " and ")));
    found.needs.push_back(file.string());
    // Fail before hashing: reading such large files takes long.
    bytes += fs::file_size(file, none);
    if (!none && !unknown && bytes > space.available)
      throw InputError(
          fmt::format("contender '{}': needs: the files up to {} take {:.3g} MB, but in {} only {:.3g} MB are free; accepted: "
                      "TMPDIR names a folder with more space",
                      block.name, file.string(), 1e-6 * static_cast<double>(bytes), temporary.string(),
                      1e-6 * static_cast<double>(space.available)));
  }
  Contender contender{.program = std::move(found)};
  read_files(contender, block.name, block.command);
  return contender;
}

Executable executable_of(const ContenderBlock& block, const Contender& contender, const fs::path& format,
                         const Description& peer) {
  const double bytes = static_cast<double>(find_number(block.precision).bytes) * peer.q;
  Description facts;
  facts.id = block.id();
  facts.model = block.model;
  facts.backend = foreign_backend;
  facts.build = "default";
  facts.follows = block.follows;
  facts.idea = "foreign: a program that is not a rung of this project";
  facts.layout = "unknown";
  facts.traffic = "unknown; shown at the model's minimum";
  facts.source = utf8_path(fmt::format("{}", fmt::join(block.command, " ")));
  facts.bound = "unknown";
  facts.lattices = 2;
  facts.q = peer.q;
  facts.reach = peer.reach;
  facts.numbers = {block.precision};
  facts.bytes_per_update[block.precision] = {bytes, bytes};
  facts.level = "dram";
  facts.bytes_per_update_minimum[block.precision] = 2 * bytes;
  facts.operations = peer.operations;
  facts.cases = peer.cases;
  // The form with the fewest operations, because the program's own form is unknown.
  const auto least = std::ranges::min_element(facts.operations, {}, &OperationCounts::total);
  if (least != facts.operations.end()) facts.collision = least->form;
  return {.path = format,
          .id = block.id(),
          .build = "default",
          .backend = std::string(foreign_backend),
          .description = std::move(facts),
          .measured = contender.program.command.front()};
}

std::vector<std::string> arguments_of(const Contender& contender, const CaseFacts& facts, double timeout_seconds,
                                      std::int64_t memory_limit_bytes) {
  ForeignProgram program = contender.program;
  program.sides = facts.sides;
  program.q = facts.q;
  program.timeout_seconds = timeout_seconds;
  program.memory_limit_bytes = memory_limit_bytes;
  return {"--contender", request_text(program)};
}

}  // namespace ladder
