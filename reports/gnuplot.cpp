#include "reports/gnuplot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
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

/// The script, which draws the plot once with each terminal.
std::string script_of(const Plot& plot) {
  const auto once = [&](const std::string& terminal, const char* file) {
    return fmt::format("reset\nset terminal {}\nset output '{}'\n{}{}set output\n", terminal, file, theme, plot.script());
  };
  return plot.definitions() +
         once(fmt::format("svg size {},{} dynamic noenhanced background '#ffffff' font 'DejaVu Sans,13'", plot.width(),
                          plot.height()),
              "svg") +
         once(fmt::format("pdfcairo size {}in,{}in noenhanced fontscale 0.55 linewidth 1.6 pointscale 1.3 background '#ffffff' "
                          "font 'DejaVu Sans,13'",
                          plot.width() / 96.0, plot.height() / 96.0),
              "pdf");
}

/// Runs `gnuplot -d` in a folder that has the script; `-d` ignores the user's settings.
void run_gnuplot(const std::filesystem::path& folder) {
  const std::string command = fmt::format("cd {} && gnuplot -d script </dev/null 2>&1", shell_quoted(folder.string()));
  std::FILE* const output = popen(command.c_str(), "re");
  if (output == nullptr) throw std::runtime_error(fmt::format("gnuplot cannot be started: {}", std::strerror(errno)));
  std::string log;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output))
    log += static_cast<char>(c);
  const int status = pclose(output);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw Unavailable("gnuplot is not installed; figures need it (Debian package gnuplot-nox)");
  if (status != 0) throw std::runtime_error(fmt::format("gnuplot failed: {}", log));
}

/// The plot as gnuplot writes it.
Drawing draw_plot(const Plot& plot) {
  const TemporaryFolder folder;
  write_file(folder.path() / "script", script_of(plot));
  run_gnuplot(folder.path());
  return {read_whole(folder.path() / "svg"), read_whole(folder.path() / "pdf")};
}

Drawing draw_one(const Figure& figure) {
  try {
    Drawing drawing = draw_plot(figure.plot);
    drawing.svg = finish_svg(drawing.svg, figure.id, figure.title, figure.plot.hovers());
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
  constexpr std::string_view plot_mark = "<g id=\"gnuplot_plot_";
  for (std::size_t at = svg.find(plot_mark); at != std::string::npos; at = svg.find(plot_mark, at + 1))
    remove_title(svg, at);
  insert_hovers(svg, hovers);
  svg = replace_all(std::move(svg), "]]>", "]]&gt;");  // gnuplot writes it, but XML forbids it
  for (const std::string name : {" id='", " id=\"", "href='#", "url(#"})
    svg = replace_all(std::move(svg), name, name + id_slug(id) + '-');
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
