#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.hpp"
#include "reports/data_sheet.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// One size of one line of the figure.
struct Size {
  std::string case_name = {};
  double sites = 0;
  double gbytes = unknown;  ///< GB/s at minimum traffic
  TableCell fraction = "—";
  double share = unknown;
  TableCell of_data_sheet = "—";
  std::string fits_in = "—";
  const Cell* ceiling = nullptr;  ///< ceiling that the fraction refers to
};

/// One of our rungs, or a label of the paper, over the sizes.
struct StreamLine {
  std::string name;
  bool of_paper = false;
  Look look;
  std::vector<Size> sizes;
};

Size our_size(const Context& context, const Cell& cell, const CeilingQuery& query) {
  const Row& row = *cell.row;
  const double bandwidth = cell.median * row.bytes_per_update_minimum;
  const double of_data_sheet = bandwidth / data_sheet_bandwidth(row);
  Size size{.case_name = row.case_name,
            .sites = static_cast<double>(row.cells),
            .gbytes = bandwidth / 1e9,
            .of_data_sheet = {percent(of_data_sheet), of_data_sheet},
            .fits_in = residency(row.footprint_bytes, context.results.caches(row))};
  if (const auto ceiling = context.ceilings.dram(query, &cell)) {
    const Fraction fraction = context.ceilings.of_bandwidth(cell, *ceiling);
    size.fraction = fraction_cell(fraction);
    size.share = fraction.ratio.value;
    size.ceiling = ceiling->cell;
  }
  return size;
}

Size paper_size(const Context& context, const std::string& label, const std::string& case_name) {
  const Paper& paper = context.study.paper;
  const double share = paper.value(label, case_name, "stream_fraction") / 100;
  return {.case_name = case_name,
          .sites = cells_in_case(context, case_name),
          .gbytes = paper.value(label, case_name, "bandwidth"),
          .fraction = percent_cell(share),
          .share = share,
          .fits_in = ""};
}

Table make_table(const std::vector<StreamLine>& lines, const std::vector<std::string>& cases, const std::string& ceiling) {
  std::vector<Column<StreamLine>> columns = {{"Rung", "rung", &StreamLine::name}};
  for (const std::string& c : cases) {
    const auto add = [&](const std::string& title, const std::string& name, auto member) {
      columns.emplace_back(title, id_slug(c) + name, [=](const StreamLine& line) {
        const auto size = std::ranges::find(line.sizes, c, &Size::case_name);
        return to_cell(size == line.sizes.end() ? Size{}.*member : *size.*member);
      });
    };
    add(c + ", GB/s", "_gbytes_per_s", &Size::gbytes);
    add("of STREAM", "_fraction", &Size::fraction);
    add("of data sheet", "_of_data_sheet", &Size::of_data_sheet);
    add("fits in", "_fits_in", &Size::fits_in);
  }
  return tabulate("stream", fmt::format("Bandwidth at minimum traffic, and its fraction of STREAM {}", ceiling), columns,
                  lines);
}

SizeChart make_chart(const std::vector<StreamLine>& lines, const std::string& ceiling, const std::string& title) {
  SizeChart chart{.id = "stream",
                  .title = title,
                  .y_label = fmt::format("fraction of STREAM {}, %", ceiling),
                  .least_top = 100,
                  .levels = {{100, ""}}};
  for (const StreamLine& line : lines) {
    SizeLine drawn{line.name, line.of_paper, line.look, {}};
    for (const Size& s : line.sizes) {
      drawn.points.push_back(
          {s.case_name, s.sites, 100 * s.share,
           fmt::format("{}, {}: {} GB/s, {}", line.name, s.case_name, significant(s.gbytes), s.fraction.text)});
    }
    chart.lines.push_back(std::move(drawn));
  }
  return chart;
}

/// Names the rung that comes nearest to the ceiling, or most exceeds it, for each case.
std::vector<std::string> highest_texts(const std::vector<StreamLine>& lines, const std::vector<std::string>& cases,
                                       const std::string& ceiling) {
  std::vector<std::string> texts;
  for (const std::string& case_name : cases) {
    const StreamLine* highest = nullptr;
    const Size* best = nullptr;
    for (const StreamLine& line : lines)
      for (const Size& size : line.sizes)
        if (!line.of_paper && size.case_name == case_name && size.share > (best == nullptr ? 0 : best->share)) {
          highest = &line;
          best = &size;
        }
    if (best != nullptr)
      texts.push_back(
          fmt::format("{}: {} has the highest fraction of {}, {}.", case_name, highest->name, ceiling, best->fraction.text));
  }
  return texts;
}

}  // namespace

void stream(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "best");
  const std::string ceiling = block.text("ceiling", "triad");
  const CeilingQuery query{ceiling, precision, block.text("ceilings", "")};

  std::vector<StreamLine> lines;
  std::vector<const Cell*> used;
  std::vector<const Cell*> limits;
  for (const RungOverSizes& rung : rungs_over_sizes(context, rungs, cases, precision, tuning)) {
    StreamLine line{rung.name, false, rung.look, {}};
    for (const Cell* cell : rung.cells) {
      line.sizes.push_back(our_size(context, *cell, query));
      used.push_back(cell);
      if (const Cell* limit = line.sizes.back().ceiling) limits.push_back(limit);
    }
    lines.push_back(std::move(line));
  }
  std::size_t papers = 0;
  for (const std::string& label : paper_labels(block, context)) {
    StreamLine line{"paper: " + label, true, paper_look(papers++), {}};
    for (const std::string& case_name : cases) {
      Size size = paper_size(context, label, case_name);
      if (!std::isnan(size.share) || !std::isnan(size.gbytes)) line.sizes.push_back(std::move(size));
    }
    lines.push_back(std::move(line));
  }
  if (used.empty()) section.note("No rows of these rungs and cases yet.");
  const std::vector<std::string> findings = highest_texts(lines, cases, ceiling);
  for (const std::string& text : findings)
    section.find(text);
  const std::string caption =
      rows_caption(context, used, fmt::format("kind=sample and kind=ceiling, precision={}, tuning {}", precision, tuning)) +
      " Bandwidth counts every population as read once and written once; fractions above 100 % are flagged, unless the few "
      "bytes that the rung declares explain them: see the memory level that the case fits in.";
  const std::vector<const Row*> sources = rows_of(used, limits);
  if (SizeChart chart =
          make_chart(lines, ceiling, figure_title(context, fmt::format("Fraction of STREAM {} by size", ceiling), {precision}));
      is_drawable(chart)) {
    if (!findings.empty()) chart.conclusion = findings.back();
    section.add(draw_sizes(std::move(chart)), caption, sources);
  }
  section.add(make_table(lines, cases, ceiling), caption, sources);
  say_what_moves_less(used, section);
  say_foreign(used, section);
}

}  // namespace ladder::reports
