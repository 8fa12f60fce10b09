#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

/// Console output: results go to standard output, everything else to standard error. Text from studies, stores and executables
/// is escaped so that it cannot control a terminal.
namespace ladder {

/// `text` with a '?' for each control character (except line breaks and tabs) and for each byte that is not valid UTF-8.
std::string for_terminal(std::string_view text);

/// Writes `text` to standard output unchanged. If writing fails, the text is lost, and close_output() reports the failure.
void write_out(std::string_view text);
/// Writes `text` to standard error unchanged. Failures are ignored, since there is nowhere to report them.
void write_err(std::string_view text);

/// Formats the values and writes the result to standard output through for_terminal().
template <class... T>
void print_out(fmt::format_string<T...> form, T&&... values) {
  write_out(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// Writes JSON in ASCII and a line break to standard output; invalid UTF-8 is replaced by U+FFFD.
void print_json(const nlohmann::ordered_json& json);
/// `null` if the value is infinite or NaN.
nlohmann::ordered_json json_number(double value);

/// Like print_out(), but writes to standard error.
template <class... T>
void print_err(fmt::format_string<T...> form, T&&... values) {
  write_err(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// Flushes standard output.
void flush_output();

/// Flushes standard output and returns the exit code for a program that would otherwise exit with `code`. If some output could
/// not be written, reports this on standard error and turns exit_ok into exit_bad_input.
int close_output(int code);

}  // namespace ladder
