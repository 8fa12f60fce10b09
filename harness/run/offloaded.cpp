#include "harness/run/offloaded.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/run/kernel_name.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// The PTX texts in an executable's bytes, each of which ends at a zero byte.
std::vector<std::string> ptx_in(const std::string& bytes) {
  constexpr std::string_view begin = "// BEGIN PREAMBLE";
  std::vector<std::string> texts;
  for (std::size_t at = 0; (at = bytes.find(begin, at)) != std::string::npos;) {
    const std::size_t end = std::min(bytes.find('\0', at), bytes.size());
    texts.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return texts;
}

/// The number before `unit` in a line; 0 if there is none.
int number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

}  // namespace

std::vector<OffloadedKernel> parse_ptxas(std::string_view text) {
  constexpr std::string_view entry = "Compiling entry function '";
  std::vector<OffloadedKernel> kernels;
  bool is_kernel = false;  // whether the following lines describe a kernel
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(entry); at != std::string::npos) {
      const std::string symbol = line.substr(at + entry.size());
      kernels.push_back({.name = kernel_name(symbol.substr(0, symbol.find('\'')))});
    } else if (line.find("Function properties for ") != std::string::npos) {
      is_kernel = !kernels.empty() && line.find("$_omp_fn$") != std::string::npos;
    } else if (is_kernel && line.find(" bytes stack frame") != std::string::npos) {
      kernels.back().stack_bytes = number_before(line, " bytes stack frame");
      kernels.back().spilled_bytes = number_before(line, " bytes spill stores");
    } else if (is_kernel && line.find(" registers") != std::string::npos) {
      kernels.back().registers = number_before(line, " registers");
    }
  }
  return kernels;
}

OffloadedKernels offloaded_kernels(const fs::path& executable, const std::string& architecture) {
  const auto texts = ptx_in(read_if_there(executable));
  if (texts.empty()) return {};
  const fs::path compiler = found_on_path("ptxas", "/usr/local/cuda/bin");
  if (compiler.empty()) return {{}, "there is no ptxas on PATH or in /usr/local/cuda/bin"};
  const TemporaryFolder folder;
  OffloadedKernels all;
  for (const std::string& text : texts) {
    if (text.find("$_omp_fn$0$impl") != std::string::npos) {  // OpenMP target directives
      all = {{}, "its kernels call their loops through pointers: the driver determines registers; `ladder profile` reads them"};
      break;
    }
    const fs::path source = folder.path() / "kernels.ptx";
    write_file(source, text);
    const ProcessResult compiled =
        run_process(compiler, {"-c", "-v", "-arch=" + architecture, source.string(), "-o", "/dev/null"}, 120);
    if (!succeeded(compiled)) {
      all = {{}, "ptxas: " + one_line(compiled.err)};
      break;
    }
    const auto some = parse_ptxas(compiled.err);
    all.kernels.insert(all.kernels.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace ladder
