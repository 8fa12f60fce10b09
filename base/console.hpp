#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

/// Output of the program: results go to standard output, all else goes to standard error. Text from studies, stores and answers
/// of executables cannot control a terminal.
namespace ladder {

/// `text` with a '?' for each control character except line breaks and tabs, and for each byte that is not UTF-8.
std::string for_terminal(std::string_view text);

/// Writes `text` to standard output unchanged. Text that cannot be written is lost; close_output() reports this.
void write_out(std::string_view text);
/// Writes `text` to standard error unchanged. Text that cannot be written is lost, because no one can read it.
void write_err(std::string_view text);

/// Formats the values and writes the result to standard output through for_terminal().
template <class... T>
void print_out(fmt::format_string<T...> form, T&&... values) {
  write_out(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// Writes JSON in ASCII and a line break to standard output; U+FFFD stands for bytes that are not UTF-8.
void print_json(const nlohmann::ordered_json& json);

/// Does the same as print_out(), on standard error.
template <class... T>
void print_err(fmt::format_string<T...> form, T&&... values) {
  write_err(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// Flushes standard output.
void flush_output();

/// Flushes standard output and returns the exit code of a program that would end with `code`: exit_bad_input instead of exit_ok
/// if some of the output could not be written. This is then reported on standard error.
int close_output(int code);

}  // namespace ladder
