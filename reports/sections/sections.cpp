#include "reports/sections/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/format.hpp"

namespace ladder::reports {

using OfMachine = void(const Parameters& block, const Context& context, Section& section);
using AcrossMachines = void(const Parameters& block, const std::vector<Context>& machines, Section& section);

// One function per kind, in a file of the same name. Each reads its parameters from `block` and appends to `section`.
// docs/reports.md describes kinds and parameters.
OfMachine accuracy, backends, bound, ceilings, claims, counters, energy, faults, field, flags, growth, heatmap, layers, limits,
    operations, overlap, phases, profile, rates, roofline, scaling, self_test, series, stability, steps, stream, sweep,
    timeline;
AcrossMachines growth_of_machines, mesh, paper, portability;

namespace {

struct Kind {
  std::string_view name;
  std::variant<OfMachine*, AcrossMachines*> make;
  std::string_view title;  ///< default title, for blocks without one
  bool draws = true;       ///< draws figures; if false, only tables
};

constexpr std::array kinds{Kind{"accuracy", accuracy, "Accuracy", false},
                           Kind{"backends", backends, "The same idea in two programming models", false},
                           Kind{"bound", bound, "Arithmetic and memory bounds", false},
                           Kind{"ceilings", ceilings, "Machine ceilings"},
                           Kind{"claims", claims, "The publication's arithmetic, redone", false},
                           Kind{"counters", counters, "Hardware counters, ours and the publication's", false},
                           Kind{"energy", energy, "Energy per update"},
                           Kind{"faults", faults, "What survives random faults", false},
                           Kind{"field", field, "Picture of the flow"},
                           Kind{"flags", flags, "Compilers and flags"},
                           Kind{"growth", growth, "Time per step by size"},
                           Kind{"growth_of_machines", growth_of_machines, "Time per step by size and machine"},
                           Kind{"heatmap", heatmap, "Work-group shapes"},
                           Kind{"layers", layers, "Row means"},
                           Kind{"limits", limits, "What limits each rung", false},
                           Kind{"mesh", mesh, "The body"},
                           Kind{"operations", operations, "Operations per update", false},
                           Kind{"overlap", overlap, "Overlap of work and messages"},
                           Kind{"paper", paper, "The publication's values", false},
                           Kind{"phases", phases, "Phases of a step", false},
                           Kind{"portability", portability, "Performance portability"},
                           Kind{"profile", profile, "Hardware counters", false},
                           Kind{"rates", rates, "Phase rates", false},
                           Kind{"roofline", roofline, "Roofline"},
                           Kind{"scaling", scaling, "Scaling with threads"},
                           Kind{"self_test", self_test, "How far verdicts can be trusted", false},
                           Kind{"series", series, "How the flow changes"},
                           Kind{"stability", stability, "Which flows stay bounded", false},
                           Kind{"steps", steps, "Step by step"},
                           Kind{"stream", stream, "Fraction of STREAM by size"},
                           Kind{"sweep", sweep, "Rate by size"},
                           Kind{"timeline", timeline, "Timeline of a step"}};

const Kind& kind_of(const Parameters& block) {
  const std::string name = block.text("kind");
  std::vector<std::string> accepted;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    accepted.emplace_back(kind.name);
  }
  block.fail("kind", "is '" + name + "'; accepted: " + joined(accepted, accepted.size()));
}

/// Cells of a machine that have a mark and contributed samples to `shown`.
void collect_marked(const Context& context, const std::set<const Row*>& shown, std::vector<const Cell*>& marked) {
  for (const std::vector<Cell>* cells : {&context.results.cells(), &context.results.ceilings()})
    for (const Cell& cell : *cells)
      if (!cell.mark().empty() && std::ranges::any_of(cell.rows, [&](const Row* row) { return shown.contains(row); }))
        marked.push_back(&cell);
}

/// Notes which cells of a section have a mark, and why.
void say_marks(const std::vector<Context>& machines, Section& section) {
  constexpr std::size_t most = 5;  ///< number of cells to name; the rest are only counted
  std::set<const Row*> shown;
  for (const Part& part : section.parts) {
    if (const auto* table = std::get_if<Table>(&part)) shown.insert(table->sources.begin(), table->sources.end());
    if (const auto* figure = std::get_if<Figure>(&part)) shown.insert(figure->sources.begin(), figure->sources.end());
  }
  std::vector<const Cell*> marked;
  for (const Context& context : machines)
    collect_marked(context, shown, marked);
  const auto say = [&](Paragraph::Kind kind, const std::string& mark, const char* meaning) {
    std::vector<std::string> named;
    for (const Cell* cell : marked)
      if (cell->mark() == " " + mark) named.push_back(fmt::format("{} ({})", cell->describe(), cell->why_marked()));
    if (named.empty()) return;
    const std::string others = named.size() > most ? fmt::format("; and {} more", named.size() - most) : "";
    named.resize(std::min(named.size(), most));
    section.parts.emplace_back(Paragraph{kind, fmt::format("{} {}: {}{}.", mark, meaning, fmt::join(named, "; "), others)});
  };
  say(Paragraph::Kind::warning, "§",
      "Sessions disagree by more than 10 % beyond both intervals; the median is over all their samples");
  say(Paragraph::Kind::note, "◊",
      "The samples fall into two groups; the median belongs to the larger one, or lies between them");
  say(Paragraph::Kind::note, "≀", "Fewer than six samples, and the highest is more than 20 % above the lowest");
}

template <class Where>
Section make(const Parameters& block, const Where& where) {
  const Kind& kind = kind_of(block);
  Section section{std::string(kind.name), block.text("title", std::string(kind.title)), {}};
  if (const std::string text = block.text("text", ""); !text.empty()) section.say(text);
  section.leads = block.flag("lead", false);
  std::get<void (*)(const Parameters&, const Where&, Section&)>(kind.make)(block, where, section);
  block.finish();
  if constexpr (std::is_same_v<Where, Context>)
    say_marks({where}, section);
  else
    say_marks(where, section);
  return section;
}

}  // namespace

bool draws(const Parameters& block) { return kind_of(block).draws; }

bool is_across(const Parameters& block) { return kind_of(block).make.index() == 1; }

Section make_section(const Parameters& block, const Context& context) { return make(block, context); }

Section make_section_across(const Parameters& block, const std::vector<Context>& machines) { return make(block, machines); }

}  // namespace ladder::reports
