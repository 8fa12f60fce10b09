// Reads OBJ files. tinyobjloader finds the lines and their meaning. It accepts almost anything (a word that is not a number
// counts as 0, and a point index is not checked), so the words of each point and face are checked here.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <istream>
#include <limits>
#include <streambuf>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/input_file.hpp"
#include "variants/geometry/mesh.hpp"
#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

namespace geometry {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 28;
constexpr std::size_t most_points = std::numeric_limits<int>::max();

/// Feeds a text to a stream line by line, and remembers the last line.
class Lines final : public std::streambuf {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::int64_t number() const { return first_; }
  /// The line without its line ending.
  [[nodiscard]] std::string_view line() const { return std::string_view(line_).substr(0, line_.size() - 1); }

 protected:
  int_type underflow() override {
    if (rest_.empty()) return traits_type::eof();
    line_.clear();
    first_ = ++last_;
    for (;; ++last_) {
      const auto size = std::min(rest_.find_first_of("\r\n"), rest_.size());
      line_ += rest_.substr(0, size);
      rest_.remove_prefix(size);
      rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, rest_.size()));
      if (!line_.ends_with('\\') || rest_.empty()) break;
      line_.back() = ' ';
    }
    line_ += '\n';
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_.front());
  }

 private:
  std::string_view rest_;
  std::string line_;
  std::int64_t first_ = 0, last_ = 0;
};

/// Collects points and faces from tinyobjloader's callbacks.
class Reader {
 public:
  Reader(std::filesystem::path path, std::string_view text) : path_(std::move(path)), lines_(text) {}

  Mesh read() {
    std::istream stream(&lines_);
    tinyobj::callback_t callback;
    callback.vertex_cb = [](void* self, double, double, double, double) { static_cast<Reader*>(self)->point(); };
    callback.index_cb = [](void* self, tinyobj::index_t* indices, int n) {
      static_cast<Reader*>(self)->face(indices, static_cast<std::size_t>(n));
    };
    tinyobj::LoadObjWithCallback(stream, callback, this);
    if (faces_ == 0)
      throw ladder::InputError(
          fmt::format("{}: has no faces; accepted: an OBJ file with points ('v X Y Z') and faces "
                      "('f I J K')",
                      path_.string()));
    Mesh mesh = make_mesh(path_.string(), points_, triangles_);
    mesh.report.faces = faces_;
    return mesh;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw ladder::InputError(fmt::format("{}:{}: {}", path_.string(), lines_.number(), what));
  }

  /// Starts reading the words of the line that follow its keyword.
  void start() {
    rest_ = lines_.line();
    next();
  }
  std::string_view next() {
    constexpr std::string_view blank = " \t";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blank), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blank));
    rest_.remove_prefix(word.size());
    return word;
  }

  void point() {
    start();
    Point point{};
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string_view word = next();
      // The library's own number parsing is not correctly rounded.
      const std::string text(word);
      char* stop = nullptr;
      point[a] = std::strtod(text.c_str(), &stop);
      if (word.empty() || stop != text.data() + text.size() || !(std::abs(point[a]) <= largest_coordinate))
        fail(fmt::format("{} is '{}'; accepted: a number from {:g} to {:g}", "xyz"[a], ladder::shown(word), -largest_coordinate,
                         largest_coordinate));
    }
    if (points_.size() == most_points) fail(fmt::format("is one point too many; accepted: up to {}", most_points));
    points_.push_back(point);
  }

  void face(const tinyobj::index_t* indices, std::size_t n) {
    start();
    std::vector<int> face;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string_view word = next();
      const std::string_view digits = word.substr(0, word.find('/'));
      const auto count = static_cast<std::int64_t>(points_.size());
      std::int64_t number = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (error != std::errc{} || stop != digits.data() + digits.size() || number == 0 || number > count || number < -count ||
          number != indices[i].vertex_index)
        fail(fmt::format("a point of the face is '{}'; {}", ladder::shown(word),
                         count == 0 ? "no point precedes it; accepted: points ('v X Y Z') before the faces that use them"
                                    : fmt::format("accepted: 1 to {}, or -{} to -1, as {} precede{} it", count, count,
                                                  ladder::counted(count, "point"), count == 1 ? "s" : "")));
      face.push_back(static_cast<int>(number > 0 ? number - 1 : count + number));
    }
    if (const std::string_view more = next(); !more.empty())
      fail(fmt::format("'{}' is not a point of a face; accepted: I, I/T, I//N or I/T/N", ladder::shown(more)));
    if (face.size() < 3) fail(fmt::format("the face has {}; accepted: at least 3", ladder::counted(face.size(), "point")));
    for (std::size_t i = 2; i < face.size(); ++i)
      triangles_.push_back({face[0], face[i - 1], face[i]});
    ++faces_;
  }

  std::filesystem::path path_;
  Lines lines_;
  std::string_view rest_;
  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::int64_t faces_ = 0;
};

}  // namespace

Mesh parse_mesh(const std::filesystem::path& path, std::string_view text) { return Reader(path, text).read(); }

Mesh read_mesh(const std::filesystem::path& path) {
  return parse_mesh(path, ladder::read_input(path, "a mesh in OBJ format", most_bytes));
}

}  // namespace geometry
