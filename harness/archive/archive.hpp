#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Stored files may be compressed: `<name>.gz`, written by gzip or by compress_stored(), stands for `<name>`. Lists and reports
/// name the file without the ending. If both exist, the file must begin with what was compressed: this remains of an
/// interrupted uncompress_stored(), and the file may have been appended to since. Otherwise one would hide the other's rows.
namespace ladder {

/// Whether the file or its compressed form exists.
[[nodiscard]] bool is_stored(const std::filesystem::path& file);

/// The text of a stored file. @throws FileError if it cannot be read, if its compressed form is damaged or cut off, or if both
/// exist and differ
[[nodiscard]] std::string read_stored(const std::filesystem::path& file);

/// Name of the stored file for a directory entry: without `.gz`.
[[nodiscard]] std::string stored_name(const std::filesystem::path& entry);

/// Replaces the file with its compressed form. The same text always gives the same bytes. @throws InputError if it cannot be
/// written
void compress_stored(const std::filesystem::path& file);

/// Replaces the compressed form with the uncompressed file, so that it can be appended to. Does nothing without a compressed
/// form.
/// @throws FileError, InputError if it cannot be read or written
void uncompress_stored(const std::filesystem::path& file);

}  // namespace ladder
