#include "base/console.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/format.hpp"

namespace ladder {
namespace {

int output_error = 0;  // errno of the first failure

}  // namespace

std::string for_terminal(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t end = text.find_first_of("\n\t");
    result += printable(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += text[end];
    text.remove_prefix(end + 1);
  }
}

void write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_error == 0) output_error = errno;
}

void write_err(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size()) std::clearerr(stderr);
}

nlohmann::ordered_json json_number(double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr; }

void print_json(const nlohmann::ordered_json& json) {
  write_out(json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void flush_output() {
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
}

int close_output(int code) {
  flush_output();
  if (output_error == 0) return code;
  print_err("ladder: standard output cannot be written: {}\n", std::strerror(output_error));
  return code == exit_ok ? exit_bad_input : code;
}

}  // namespace ladder
