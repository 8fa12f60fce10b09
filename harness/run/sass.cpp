#include "harness/run/sass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/run/kernel_name.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

/// The rest of the line after `mark`, if the line contains it.
std::optional<std::string> after(const std::string& line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  return at == std::string::npos ? std::nullopt : std::optional(trimmed(line.substr(at + mark.size())));
}

/// `/*0050*/  @P0 EXIT ;  /* 0x… */` becomes `@P0 EXIT`; lines without an instruction become an empty string.
std::string instruction_in(const std::string& line) {
  const std::string text = trimmed(line);
  const std::size_t begin = text.find("*/");
  if (!text.starts_with("/*") || begin == std::string::npos) return "";
  const std::size_t end = text.find(';', begin);
  return end == std::string::npos ? "" : trimmed(std::string_view(text).substr(begin + 2, end - begin - 2));
}

/// Removes the padding after the last reachable instruction: a jump to itself, then NOPs up to a multiple of 128 bytes.
/// `addresses`: one per instruction.
void remove_padding(std::vector<std::string>& instructions, const std::vector<int>& addresses) {
  while (!instructions.empty() && instructions.back() == "NOP")
    instructions.pop_back();
  if (!instructions.empty() && instructions.back() == fmt::format("BRA {:#x}", addresses[instructions.size() - 1]))
    instructions.pop_back();
}

std::string opcode_of(const std::string& instruction) {
  const std::size_t begin = instruction.starts_with('@') ? instruction.find(' ') + 1 : 0;
  return instruction.substr(begin, instruction.find(' ', begin) - begin);
}

/// The last component of a qualified name, with its template arguments: `update<a::b>` of `d3q19::update<a::b>`.
std::string unqualified(const std::string& name) {
  const std::size_t arguments = std::min(name.find('<'), name.size());
  const std::size_t colons = name.rfind("::", arguments);
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace

std::vector<SassKernel> parse_sass(std::string_view text) {
  std::vector<SassKernel> kernels;
  std::vector<int> addresses;
  std::string architecture;
  const auto finish = [&] {
    if (!kernels.empty()) remove_padding(kernels.back().instructions, addresses);
    addresses.clear();
  };
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = after(line, "code for ")) {
      architecture = *name;
    } else if (const auto symbol = after(line, "Function : ")) {
      finish();
      kernels.push_back({.name = kernel_name(*symbol), .architecture = architecture, .instructions = {}});
    } else if (std::string instruction = instruction_in(line); !instruction.empty() && !kernels.empty()) {
      int address = -1;
      const std::size_t digits = line.find("/*") + 2;
      std::from_chars(line.data() + digits, line.data() + line.size(), address, 16);
      addresses.push_back(address);
      kernels.back().instructions.push_back(std::move(instruction));
    }
  }
  finish();
  return kernels;
}

Sass sass_of(const fs::path& executable) {
  const fs::path tool = found_on_path("cuobjdump", "/usr/local/cuda/bin");
  if (tool.empty()) return {{}, "there is no cuobjdump on PATH or in /usr/local/cuda/bin"};
  const ProcessResult dump = run_process(tool, {"-sass", executable.string()}, 120);
  if (dump.err.find("does not contain device code") == std::string::npos) {
    if (!succeeded(dump)) return {{}, "cuobjdump: " + one_line(dump.err)};
    if (dump.out.find("\n…\n") != std::string::npos) return {{}, "cuobjdump prints more than 16 MiB"};
    if (auto kernels = parse_sass(dump.out); !kernels.empty()) return {std::move(kernels), ""};
  }
  return {{}, "the executable contains no machine code for NVIDIA GPUs"};
}

std::vector<OpcodeCounts> SassPair::differences() const {
  if (rung == nullptr || parent == nullptr) return {};
  std::map<std::string, OpcodeCounts> counts;
  for (const std::string& instruction : rung->instructions)
    ++counts[opcode_of(instruction)].rung;
  for (const std::string& instruction : parent->instructions)
    ++counts[opcode_of(instruction)].parent;
  std::vector<OpcodeCounts> different;
  for (const auto& [opcode, count] : counts)
    if (count.rung != count.parent) different.push_back({opcode, count.rung, count.parent});
  return different;
}

std::vector<SassPair> paired(const std::vector<SassKernel>& rung, const std::vector<SassKernel>& parent) {
  std::vector<SassPair> pairs;
  for (const SassKernel& kernel : rung)
    pairs.push_back({.rung = &kernel});
  std::vector<const SassKernel*> left;
  for (const SassKernel& kernel : parent)
    left.push_back(&kernel);
  for (const bool is_exact : {true, false})
    for (SassPair& pair : pairs) {
      if (pair.parent != nullptr) continue;
      const auto found = std::ranges::find_if(left, [&](const SassKernel* other) {
        return other->architecture == pair.rung->architecture &&
               (is_exact ? other->name == pair.rung->name : unqualified(other->name) == unqualified(pair.rung->name));
      });
      if (found == left.end()) continue;
      pair.parent = *found;
      left.erase(found);
    }
  for (const SassKernel* kernel : left)
    pairs.push_back({.parent = kernel});
  return pairs;
}

}  // namespace ladder
