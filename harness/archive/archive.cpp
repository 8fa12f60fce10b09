#include "harness/archive/archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".gz";
/// zlib's code for the largest window, with gzip's header instead of zlib's.
constexpr int gzip_window = MAX_WBITS + 16;

fs::path compressed(const fs::path& file) { return file.string() + std::string(ending); }

bool is_file(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(file, none);
}

Bytef* bytes_of(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }  // zlib does not write to it

/// The text of all gzip members in order. @throws FileError if the last one is incomplete
std::string inflated(const fs::path& path, const std::string& data) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw InputError("zlib cannot be initialized");
  stream.next_in = bytes_of(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  std::string text;
  std::array<char, 1 << 16> block;
  int state = Z_OK;
  do {
    if (state == Z_STREAM_END) inflateReset(&stream);
    stream.next_out = bytes_of(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(block.data(), block.size() - stream.avail_out);
  } while ((state == Z_OK || (state == Z_STREAM_END && stream.avail_in > 0)));
  inflateEnd(&stream);
  if (state != Z_STREAM_END) throw FileError(path, 0, "is damaged or cut off; accepted: a file that gunzip can read");
  return text;
}

std::string deflated(const std::string& text) {
  z_stream stream{};
  constexpr int memory = 8;  // zlib's default
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw InputError("zlib cannot be initialized");
  std::string data(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = bytes_of(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = bytes_of(data.data());
  stream.avail_out = static_cast<uInt>(data.size());
  const int state = deflate(&stream, Z_FINISH);
  data.resize(data.size() - stream.avail_out);
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw InputError("zlib cannot compress");
  return data;
}

void drop(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw InputError(fmt::format("{}: cannot be removed: {}", file.string(), error.message()));
}

}  // namespace

bool is_stored(const fs::path& file) { return is_file(file) || is_file(compressed(file)); }

std::string read_stored(const fs::path& file) try {
  const fs::path packed = compressed(file);
  if (!is_file(packed)) return read_whole(file);
  std::string unpacked = inflated(packed, read_whole(packed));
  if (!is_file(file)) return unpacked;
  std::string text = read_whole(file);
  if (!text.starts_with(unpacked))
    throw FileError(file, 0,
                    fmt::format("does not begin with the text of {}; accepted: one file with the rows of both",
                                packed.filename().string()));
  return text;
} catch (const std::bad_alloc&) {
  throw FileError(file, 0, "does not fit in memory");
}

std::string stored_name(const fs::path& entry) {
  std::string name = entry.filename().string();
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

void compress_stored(const fs::path& file) {
  write_file(compressed(file), deflated(read_whole(file)));
  drop(file);
}

void uncompress_stored(const fs::path& file) {
  const fs::path packed = compressed(file);
  if (!is_file(packed)) return;
  const std::string text = read_stored(file);
  if (!is_file(file)) write_file(file, text);
  drop(packed);
}

}  // namespace ladder
