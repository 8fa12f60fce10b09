#include "reports/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view theme = R"(set encoding utf8
set datafile separator "\t"
set datafile commentschars ''
set datafile missing '?'
set border lw 1 lc rgb '#1a1a1a'
set tics textcolor rgb '#1a1a1a'
set xlabel textcolor rgb '#1a1a1a'
set ylabel textcolor rgb '#1a1a1a'
set y2label textcolor rgb '#1a1a1a'
set cblabel textcolor rgb '#1a1a1a'
set title textcolor rgb '#1a1a1a'
set key textcolor rgb '#1a1a1a' samplen 1.5 spacing 1.15
set style line 1 lc rgb '#dcdcdc' lw 0.7
set style line 2 lc rgb '#eeeeee' lw 0.5
)";

/// An unnamed file in memory. A child process that inherits the descriptor can open it as path().
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("gnuplot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("made");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0) fail("written");
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  /// The whole content of the file.
  [[nodiscard]] std::string read() const {
    std::string text(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
    for (std::size_t have = 0; have < text.size();) {
      const ssize_t count = pread(descriptor_, text.data() + have, text.size() - have, static_cast<off_t>(have));
      if (count <= 0) fail("read");
      have += static_cast<std::size_t>(count);
    }
    return text;
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(fmt::format("an in-memory file cannot be {}: {}", what, std::strerror(errno)));
  }

  int descriptor_;
};

/// The files that gnuplot reads and writes.
struct Files {
  MemoryFile script, svg, pdf, log;
};

/// The script, which draws the plot once with each terminal.
std::string script_of(const Plot& plot, const Files& files, bool with_pdf) {
  const auto once = [&](const std::string& terminal, const MemoryFile& file) {
    return fmt::format("reset\nset terminal {}\nset output '{}'\n{}{}set output\n", terminal, file.path(), theme,
                       plot.script());
  };
  const std::string svg = once(fmt::format("svg size {},{} dynamic noenhanced background '#ffffff' font 'DejaVu Sans,{}'",
                                           plot.width(), plot.height(), plot.font()),
                               files.svg);
  const std::string pdf =
      once(fmt::format("pdfcairo size {}in,{}in noenhanced fontscale 0.55 linewidth 1.6 pointscale 1.3 background '#ffffff' "
                       "font 'DejaVu Sans,13'",
                       plot.width() / 96.0, plot.height() / 96.0),
           files.pdf);
  return plot.definitions() + svg + (with_pdf ? pdf : "");
}

/// File actions that pass the files to the child, give it an empty stdin, and send its output to the log.
class FileActions {
 public:
  explicit FileActions(const Files& files) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, files.log.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, files.log.descriptor(), STDERR_FILENO);
    for (const MemoryFile* file : {&files.script, &files.svg, &files.pdf})  // dup2() onto itself, so that the child keeps it
      posix_spawn_file_actions_adddup2(&actions_, file->descriptor(), file->descriptor());
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Runs `gnuplot -d <script>`; `-d` ignores the user's settings.
void run_gnuplot(const Files& files) {
  std::string program = "gnuplot";
  std::string defaults = "-d";
  std::string script = files.script.path();
  std::array<char*, 4> arguments{program.data(), defaults.data(), script.data(), nullptr};
  const FileActions actions(files);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
  if (error == ENOENT) throw Unavailable("gnuplot is not installed; figures need it (Debian package gnuplot-nox)");
  if (error != 0) throw std::runtime_error(fmt::format("gnuplot cannot be started: {}", std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(fmt::format("cannot wait for gnuplot: {}", std::strerror(errno)));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("gnuplot failed: {}", files.log.read()));
}

/// The plot as gnuplot writes it.
Drawing draw_plot(const Plot& plot, bool with_pdf = true) {
  const Files files;
  files.script.write(script_of(plot, files, with_pdf));
  run_gnuplot(files);
  return {files.svg.read(), files.pdf.read(), ""};
}

std::string with_class(std::string svg, const char* name) {
  return svg.replace(svg.find("<svg"), 4, fmt::format("<svg class=\"{}\"", name));
}

Drawing draw_one(const Figure& figure) {
  try {
    Drawing drawing = draw_plot(figure.plot);
    drawing.svg = finish_svg(drawing.svg, figure.id, figure.title, figure.plot.hovers());
    drawing.on_page = drawing.svg;
    if (!figure.narrow) return drawing;
    const std::string narrow =
        finish_svg(draw_plot(*figure.narrow, false).svg, figure.id + "-narrow", figure.title, figure.narrow->hovers());
    drawing.on_page = with_class(drawing.svg, "wide") + with_class(narrow.substr(narrow.find("<svg")), "narrow");
    return drawing;
  } catch (const Unavailable&) {
    throw;
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("figure {}: {}", figure.id, e.what()));
  }
}

/// Removes the first `<title>…</title>` at or after `from`.
void remove_title(std::string& svg, std::size_t from) {
  constexpr std::string_view end_tag = "</title>";
  const std::size_t start = svg.find("<title>", from);
  const std::size_t end = svg.find(end_tag, from);
  if (start != std::string::npos && end != std::string::npos && start < end) svg.erase(start, end + end_tag.size() - start);
}

/// `<g onmousemove="…(evt,'h12')" onmouseout="…"><title> </title>` becomes `<g><title>text of token 12</title>`.
void insert_hovers(std::string& svg, const std::vector<std::string>& hovers) {
  constexpr std::string_view start_mark = "<g onmousemove=\"";
  constexpr std::string_view token_mark = "(evt,'h";
  constexpr std::string_view end_mark = "</title>";
  for (std::size_t start = svg.find(start_mark); start != std::string::npos; start = svg.find(start_mark, start + 1)) {
    const std::size_t token = svg.find(token_mark, start) + token_mark.size();
    const std::size_t end = svg.find(end_mark, start) + end_mark.size();
    std::size_t index = hovers.size();
    std::from_chars(svg.data() + token, svg.data() + end, index);
    if (index >= hovers.size()) throw std::runtime_error("gnuplot wrote unexpected hypertext");
    svg.replace(start, end - start, "<g><title>" + html(hovers[index]) + "</title>");
  }
}

}  // namespace

std::string finish_svg(std::string svg, std::string_view id, std::string_view title, const std::vector<std::string>& hovers) {
  remove_title(svg, 0);
  for (std::size_t at = 0; (at = svg.find("<g id=\"gnuplot_plot_", at)) != std::string::npos; ++at)
    remove_title(svg, at);
  insert_hovers(svg, hovers);
  svg = replace_all(std::move(svg), "]]>", "]]&gt;");  // gnuplot writes it, but XML forbids it
  for (const std::string before : {" id='", " id=\"", "href='#", "url(#"})
    svg = replace_all(std::move(svg), before, before + id_slug(id) + '-');
  svg = replace_all(std::move(svg), "font-family=\"DejaVu Sans\"",
                    "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\"");
  const std::size_t tag = svg.find("<svg");
  if (tag == std::string::npos) throw std::runtime_error("gnuplot wrote no SVG");
  svg.insert(tag + 4, fmt::format(" role=\"img\" aria-label=\"{}\"", html(title)));
  return svg;
}

void require_gnuplot() {
  Plot plot(100, 100);
  plot.add("plot [0:1] 0");
  (void)draw_plot(plot);
}

std::vector<Drawing> draw(const std::vector<const Figure*>& figures) {
  std::vector<Drawing> drawings(figures.size());
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < figures.size(); i = next++) {
      try {
        drawings[i] = draw_one(*figures[i]);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = figures.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers(std::clamp(std::thread::hardware_concurrency(), 2U, 8U));
    for (std::jthread& worker : workers)
      worker = std::jthread(work);
  }
  if (failure) std::rethrow_exception(failure);
  return drawings;
}

}  // namespace ladder::reports
