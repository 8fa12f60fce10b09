#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

/// What the program says: results on standard output, all else on standard error. What it says of studies, stores and answers
/// of executables cannot control a terminal.
namespace ladder {

/// `text` with a '?' for each control character but line breaks and tabs, and for what is not UTF-8.
std::string for_terminal(std::string_view text);

/// Writes to standard output as it stands. What cannot be written is lost; close_output() tells.
void write_out(std::string_view text);
/// Writes to standard error as it stands. What cannot be written is lost: nobody is there to read it.
void write_err(std::string_view text);

/// Formats, and writes for_terminal() of it to standard output.
template <class... T>
void put(fmt::format_string<T...> form, T&&... values) {
  write_out(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// JSON in ASCII, and a line break, to standard output; U+FFFD stands for what is not UTF-8.
void put_json(const nlohmann::ordered_json& json);

/// As put(), to standard error.
template <class... T>
void say(fmt::format_string<T...> form, T&&... values) {
  write_err(for_terminal(fmt::format(form, std::forward<T>(values)...)));
}

/// Hands standard output to whoever reads it, now.
void flush_output();

/// The exit code of a program whose code would be `code`: exit_bad_input instead of exit_ok where not all of standard output
/// could be written, which is said on standard error.
int close_output(int code);

}  // namespace ladder
