#include "program/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/offloaded.hpp"
#include "harness/run/sass.hpp"
#include "harness/run/session.hpp"
#include "harness/study/study.hpp"
#include "program/definitions.hpp"
#include "program/json.hpp"
#include "program/stored_results.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The diff between two rungs' folders, or why none can be shown.
struct Difference {
  std::string text;
  std::string missing;
};

Difference difference(const fs::path& root, const std::string& from, const std::string& to, bool color) {
  const std::string git = found_on_path("git");
  if (git.empty()) return {"", fmt::format("git is not installed: compare {} with {}", from, to)};
  for (const auto& folder : {from, to})
    if (!fs::is_directory(root / folder)) return {"", fmt::format("{}: no such folder", (root / folder).string())};
  const ProcessResult diff = run_process(git,
                                         {"-C", root.string(), "diff", "--no-index", "--no-ext-diff", "--no-textconv",
                                          color ? "--color=always" : "--color=never", "--", from, to},
                                         60);
  const bool compared = diff.end == ProcessResult::End::exited && diff.code <= 1;
  return compared ? Difference{diff.out, ""} : Difference{"", "git cannot compare them: " + one_line(diff.err)};
}

/// Prints a page of text, with or without terminal formatting.
class Page {
 public:
  explicit Page(bool color) : color_(color) {}

  void title(const std::string& text) const { write_out(bold(text) + "\n"); }
  void heading(const std::string& text) const { write_out("\n" + bold(text) + "\n"); }
  void field(const std::string& name, const std::string& value) const {
    if (!value.empty()) print_out("  {:10} {}\n", name, value);
  }
  void line(const std::string& text) const { print_out("  {}\n", text); }

 private:
  [[nodiscard]] std::string bold(const std::string& text) const {
    return color_ ? "\033[1m" + for_terminal(text) + "\033[0m" : for_terminal(text);
  }

  bool color_;
};

/// Bytes and operations of one update at a precision.
struct Cost {
  double read, write, minimum, operations;

  [[nodiscard]] double moved() const { return read + write; }
  [[nodiscard]] double intensity() const { return operations / moved(); }
};

Cost cost_of(const Description& description, const std::string& precision) {
  const TrafficFacts& bytes = description.bytes_per_update.at(precision);
  const double operations = description.flops_per_update();
  return {bytes.read, bytes.write, description.bytes_per_update_minimum.at(precision), std::isnan(operations) ? 0 : operations};
}

/// A study's name, with the machine's number if there are several.
std::string label(const auto& stored) { return stored.study + machine_mark(stored.machine); }

std::string commas(const std::vector<int>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

/// The rung with this id, built or not. @throws InputError if it has a fault
const Executable& rung_without_fault(const Catalogue& catalogue, const std::string& id) {
  const Executable& rung = catalogue.rung(id);
  return rung.is_built ? catalogue.built_rung(id) : rung;
}

class Explanation {
 public:
  Explanation(const Context& context, const ExplainOptions& options, Catalogue& catalogue, const StoredResults& evidence,
              const std::string& id)
      : catalogue_(catalogue),
        rung_(rung_without_fault(catalogue_, id)),
        description_(rung_.description),
        parent_(description_.follows),
        machine_(machine_name(options.machine)),
        shows_sass_(!options.sass.empty()),
        lists_sass_(options.sass == "full"),
        color_(options.color && !options.json && isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr),
        evidence_(evidence),
        root_(context.root),
        here_(catalogue_.probe(rung_)) {
    if (!parent_.empty()) {
      difference_ = difference(root_, folder_of(parent_), folder_of(rung_.id), color_);
      if (difference_.missing.empty()) definitions_ = new_definitions(root_, folder_of(parent_), folder_of(rung_.id));
    }
    gains_ = evidence_.gains(rung_.id, parent_, own_tuning());
    sources_ = evidence_.sources(rung_.id);
    elsewhere_ = StoredResults::machines_with(context.experiments, rung_.id);
    std::erase(elsewhere_, machine_);
    limits_ = evidence_.limits(rung_.id, own_tuning());
    for (const std::string& precision : description_.numbers)
      if (const auto roofs = evidence_.roofs(rung_.backend, here_.ceilings, precision, description_.q))
        has_own_ceilings_ = has_own_ceilings_ && roofs->is_own;
    if (rung_.is_built) offloaded_ = offloaded_kernels(rung_.path, architecture_);
    steps_ = evidence_.paper(rung_.id);
    if (shows_sass_) sass_ = sass_of_rung(rung_.id);
    if (shows_sass_ && !parent_.empty() && sass_.why_not.empty()) parent_sass_ = sass_of_rung(parent_);
    sass_pairs_ = paired(sass_.kernels, parent_sass_.kernels);
  }

  void print() const {
    const Page page(color_);
    page.title(rung_.id);
    page.field("idea", description_.idea);
    page.field("follows", parent_);
    page.field("layout", description_.layout);
    page.field("source", description_.source);
    page.field("backend",
               rung_.backend + (here_.available ? ", runs here on " + here_.device : ", cannot run here: " + here_.reason));
    if (rung_.is_built) {
      page.field("compiled", description_.compiler + ", " + description_.flags);
      print_cost(page);
      print_bound(page);
      print_offloaded(page);
      print_tunables(page);
    } else {
      page.field("traffic", description_.traffic);
      page.field("bound", description_.bound);
      page.line(fmt::format(
          "Not built yet: `./ladder check {}` builds it and makes bytes, operations, roofline and tunables known.", rung_.id));
    }
    print_difference(page);
    print_sass(page);
    print_gains(page);
    print_limits(page);
    print_paper(page);
  }

  [[nodiscard]] Json json() const {
    Json out = described_rung(rung_);
    out["available"] = here_.available;
    if (!here_.available) out["reason"] = here_.reason;
    out["machine"] = machine_;
    out["built"] = rung_.is_built;
    for (const std::string& precision : description_.numbers) {
      const Cost cost = cost_of(description_, precision);
      out["operations_per_update"] = cost.operations;
      out["operations_per_byte"][precision] = cost.intensity();
      if (const auto roofs = evidence_.roofs(rung_.backend, here_.ceilings, precision, description_.q))
        out["roofline"][precision] = {{"bytes_per_second", roofs->roofline.bandwidth},
                                      {"bandwidth", roofs->bandwidth_name},
                                      {"flops_per_second", roofs->roofline.peak},
                                      {"peak", roofs->peak_name},
                                      {"study", roofs->study},
                                      {"limit", limit_name(*roofs, cost)},
                                      {"updates_per_second", at_most(*roofs, cost)}};
    }
    for (const OffloadedKernel& k : offloaded_.kernels)
      out["kernels"].push_back(
          {{"name", k.name}, {"registers", k.registers}, {"stack_bytes", k.stack_bytes}, {"spilled_bytes", k.spilled_bytes}});
    if (!offloaded_.why_not.empty()) out["kernels_missing"] = offloaded_.why_not;
    if (shows_sass_) out["sass"] = sass_json();
    out["difference"] = difference_.text;
    if (!difference_.missing.empty()) out["difference_missing"] = difference_.missing;
    out["definitions"] = Json::array();
    for (const Definition& d : definitions_)
      out["definitions"].push_back({{"name", d.name},
                                    {"owner", d.owner},
                                    {"file", d.file.generic_string()},
                                    {"line", d.line},
                                    {"lines", d.lines()},
                                    {"text", d.text}});
    out["gains"] = Json::array();
    for (const Gain& g : gains_) {
      Json entry = {{"study", g.study},    {"machine", json_count(g.machine)},
                    {"case", g.case_name}, {"precision", g.precision},
                    {"tuning", g.tuning},  {"updates_per_second", g.updates_per_second}};
      if (!g.other.empty()) entry["other"] = g.other;
      if (g.ratio.is_known())
        entry[json_name(g.over)] = {{"ratio", g.ratio.value},
                                    {"low", g.ratio.interval.low},
                                    {"high", g.ratio.interval.high},
                                    {"rounds", g.ratio.pairs},
                                    {"verdict", to_string(g.verdict)}};
      out["gains"].push_back(std::move(entry));
    }
    out["sources"] = Json::array();
    for (const RowSource& source : sources_)
      out["sources"].push_back({{"study", source.study},
                                {"machine", json_count(source.machine)},
                                {"command", source.command},
                                {"file", relative(source.file)},
                                {"last_utc", source.utc}});
    for (const std::string& identity : evidence_.machines(rung_.id).identities())
      out["machines"].push_back({{"machine", out["machines"].size() + 1}, {"identity", identity}});
    out["limits"] = Json::array();
    for (const StoredLimits& l : limits_)
      out["limits"].push_back({{"study", l.study},
                               {"machine", json_count(l.machine)},
                               {"case", l.case_name},
                               {"precision", l.precision},
                               {"updates_per_second", l.updates_per_second},
                               {"fraction_of_lowest", l.fraction},
                               {"limits", l.limits},
                               {"next", l.advice}});
    out["other_machines"] = elsewhere_;
    out["paper"] = Json::array();
    for (const PaperStep& s : steps_)
      out["paper"].push_back({{"study", s.study},
                              {"label", s.label},
                              {"over", s.over},
                              {"case", s.case_name},
                              {"seconds", s.seconds},
                              {"over_seconds", s.over_seconds},
                              {"speedup", s.speedup()},
                              {"stated_speedup", s.stated}});
    return out;
  }

 private:
  /// The folder of a rung's sources, in the source tree.
  [[nodiscard]] std::string folder_of(const std::string& id) const {
    for (const Executable& rung : catalogue_.rungs())
      if (rung.id == id) return ladder::folder_of(rung).string();
    return "variants/" + id;
  }

  /// The path relative to the source tree, if it is inside.
  [[nodiscard]] std::string relative(const fs::path& path) const {
    const fs::path inside = path.lexically_relative(root_);
    return (inside.empty() || *inside.begin() == ".." ? path : inside).generic_string();
  }

  /// `wx=128;wy=1`; empty if the rung is not built or has no tunables.
  [[nodiscard]] std::string own_tuning() const {
    std::vector<std::string> parts;
    if (rung_.is_built)
      for (const Tunable& t : description_.tunables)
        parts.push_back(fmt::format("{}={}", t.name, t.initial));
    return fmt::format("{}", fmt::join(parts, ";"));
  }

  static const char* json_name(Gain::Over over) {
    switch (over) {
      case Gain::Over::parent:
        return "over_parent";
      case Gain::Over::initial:
        return "over_initial";
      case Gain::Over::other:
        break;
    }
    return "over_other";
  }

  static std::string limit_name(const Roofs& roofs, const Cost& cost) {
    return limit(roofs.roofline, cost.intensity()) == Limit::bandwidth ? "memory bandwidth" : "arithmetic";
  }

  static double at_most(const Roofs& roofs, const Cost& cost) {
    return attainable_updates(roofs.roofline, cost.moved(), cost.operations);
  }

  void print_cost(const Page& page) const {
    page.heading("An update moves and computes");
    page.field("declared", description_.traffic);
    const auto& numbers = description_.numbers;
    const auto row = [&](const char* name, auto value) {
      std::string line = fmt::format("{:24}", name);
      for (const std::string& number : numbers)
        line += fmt::format(" {:>9}", value(number));
      page.line(line);
    };
    const auto of_cost = [&](const char* name, auto value) {
      row(name, [&](const std::string& number) { return value(cost_of(description_, number)); });
    };
    const auto bytes = [](double value) { return fmt::format("{:.4g}", value); };
    row("", [](const std::string& number) { return number; });
    of_cost("bytes read", [&](const Cost& c) { return bytes(c.read); });
    of_cost("bytes written", [&](const Cost& c) { return bytes(c.write); });
    of_cost("minimum, in and out", [&](const Cost& c) { return bytes(c.minimum); });
    of_cost("moved over the minimum", [&](const Cost& c) { return fmt::format("{:.2f}×", c.moved() / c.minimum); });
    of_cost("operations", [&](const Cost& c) { return bytes(c.operations); });
    of_cost("operations per byte", [&](const Cost& c) { return fmt::format("{:.2f}", c.intensity()); });
    page.line(fmt::format("collision: {}", description_.collision));
  }

  void print_bound(const Page& page) const {
    page.heading("Bound");
    page.field("expected", description_.bound);
    bool any = false;
    for (const std::string& precision : description_.numbers) {
      const auto roofs = evidence_.roofs(rung_.backend, here_.ceilings, precision, description_.q);
      if (!roofs) continue;
      any = true;
      const Cost cost = cost_of(description_, precision);
      page.field("roofline", fmt::format("{}: {}; at most {} MLUPS from memory", precision, limit_name(*roofs, cost),
                                         significant(at_most(*roofs, cost) * 1e-6)));
      page.field("",
                 fmt::format("{} GB/s: {}; {} GFLOP/s: {}; study {}", significant(roofs->roofline.bandwidth * 1e-9),
                             roofs->bandwidth_name, significant(roofs->roofline.peak * 1e-9), roofs->peak_name, roofs->study));
      if (!roofs->is_own) page.field("", limits_of_all_cores());
    }
    if (any)
      page.line("A lattice that fits in a cache may exceed what memory allows.");
    else
      page.line(fmt::format("No ceilings of machine {} are stored: `./ladder ceilings` measures them.", machine_));
  }

  [[nodiscard]] std::string limits_of_all_cores() const {
    return fmt::format("These are limits of all cores; no ceilings of backend {} are stored.", rung_.backend);
  }

  void print_tunables(const Page& page) const {
    if (description_.tunables.empty()) return;
    page.heading("Tunables");
    for (const Tunable& t : description_.tunables)
      page.line(fmt::format("{}: {}; accepted: {}; initially {}", t.name, t.meaning, commas(t.values), t.initial));
    for (const std::string& c : description_.constraints)
      page.line("accepted together: " + c);
    page.line(fmt::format("`./ladder tune {} --case {}` searches them.", rung_.id, example_case()));
  }

  /// Turns `9.0` into `sm_90`.
  static std::string architecture_of(std::string capability) {
    std::erase(capability, '.');
    return "sm_" + capability;
  }

  void print_offloaded(const Page& page) const {
    if (offloaded_.kernels.empty() && offloaded_.why_not.empty()) return;
    page.heading("Its kernels on a GPU, as ptxas compiles them for " + architecture_);
    if (!offloaded_.why_not.empty()) page.line(offloaded_.why_not);
    for (const OffloadedKernel& k : offloaded_.kernels)
      page.line(fmt::format("{:36} {:>3} registers, {} bytes of stack, {} bytes spilled", k.name, k.registers, k.stack_bytes,
                            k.spilled_bytes));
  }

  [[nodiscard]] Sass sass_of_rung(const std::string& id) const {
    for (const Executable& rung : catalogue_.rungs())
      if (rung.id == id && rung.build == "default" && rung.is_built) return sass_of(rung.path);
    return {{}, fmt::format("not built; `./ladder check {}` builds it", id)};
  }

  void print_sass(const Page& page) const {
    if (!shows_sass_) return;
    page.heading("GPU instructions (SASS)" + (parent_.empty() ? "" : ", compared with " + parent_));
    if (!sass_.why_not.empty()) page.line(sass_.why_not);
    if (!parent_sass_.why_not.empty()) page.line(parent_ + ": " + parent_sass_.why_not);
    for (const SassPair& pair : sass_pairs_) {
      const SassKernel& kernel = pair.either();
      std::string line =
          fmt::format("{} {}: {}", kernel.architecture, kernel.name, counted(kernel.instructions.size(), "instruction"));
      const auto differences = pair.differences();
      if (pair.rung == nullptr)
        line += ", only in the parent";
      else if (pair.parent != nullptr)
        line += fmt::format(", {} in the parent{}", grouped(static_cast<std::int64_t>(pair.parent->instructions.size())),
                            differences.empty() ? "; same opcodes" : "");
      else if (!parent_sass_.kernels.empty())
        line += ", not in the parent";
      page.line(line);
      if (!differences.empty()) page.line(fmt::format("  {:24} {:>6} {:>8} {:>12}", "opcode", "rung", "parent", "difference"));
      for (const OpcodeCounts& d : differences)
        page.line(fmt::format("  {:24} {:>6} {:>8} {:>+12}", d.opcode, d.rung, d.parent, d.rung - d.parent));
      if (lists_sass_ && pair.rung != nullptr)
        for (const std::string& instruction : kernel.instructions)
          page.line("  " + instruction);
    }
  }

  [[nodiscard]] Json sass_json() const {
    Json out = {{"kernels", Json::array()}};
    if (!sass_.why_not.empty()) out["missing"] = sass_.why_not;
    if (!parent_sass_.why_not.empty()) out["parent_missing"] = parent_sass_.why_not;
    for (const SassPair& pair : sass_pairs_) {
      Json entry = {{"name", pair.either().name}, {"architecture", pair.either().architecture}};
      if (pair.rung != nullptr) entry["instructions"] = pair.rung->instructions.size();
      if (pair.parent != nullptr) entry["parent_instructions"] = pair.parent->instructions.size();
      for (const OpcodeCounts& d : pair.differences())
        entry["opcodes"].push_back(
            {{"opcode", d.opcode}, {"rung", d.rung}, {"parent", d.parent}, {"difference", d.rung - d.parent}});
      if (lists_sass_ && pair.rung != nullptr) entry["listing"] = pair.rung->instructions;
      out["kernels"].push_back(std::move(entry));
    }
    return out;
  }

  void print_difference(const Page& page) const {
    if (parent_.empty()) return;
    page.heading("What changes from " + parent_);
    if (!difference_.missing.empty()) return page.line(difference_.missing);
    write_out(color_ ? difference_.text : for_terminal(difference_.text));  // git has already added colours
    print_definitions(page);
  }

  /// The shared definitions that the rung uses and its parent does not; of long ones, only the location.
  void print_definitions(const Page& page) const {
    constexpr std::size_t most_lines = 20;
    if (definitions_.empty()) return;
    page.heading("Newly used definitions outside the rung's folder");
    for (const Definition& d : definitions_) {
      const std::string place = fmt::format("{}:{}", d.file.generic_string(), d.line);
      const std::string name = d.owner.empty() ? d.name : d.owner + "::" + d.name;
      if (d.lines() > most_lines)
        page.line(fmt::format("{}: {}, {} lines", place, name, d.lines()));
      else
        write_out(for_terminal(fmt::format("  {}: {}\n{}\n{}", place, name, d.text, &d == &definitions_.back() ? "" : "\n")));
    }
  }

  void print_gains(const Page& page) const {
    page.heading(fmt::format("Measured on {}{}", machine_, parent_.empty() ? "" : ", over " + parent_));
    bool compared = false;
    std::size_t width = 12;
    for (const Gain& g : gains_)
      width = std::max(width, label(g).size());
    for (const Gain& g : gains_) {
      std::string line = fmt::format("{:{}} {:16} {} {:>8} MLUPS", label(g), width, g.case_name, g.precision,
                                     significant(g.updates_per_second * 1e-6));
      if (g.ratio.is_known()) {
        compared = compared || g.over == Gain::Over::parent;
        line += fmt::format("  {}{}  {}, {}", times(g.ratio.value), interval_text(g.ratio.interval), to_string(g.verdict),
                            g.ratio.pairs > 0 ? counted(g.ratio.pairs, "paired round") : "not in the same rounds");
      }
      if (g.over == Gain::Over::initial) line += ", over the initial tuning";
      if (g.over == Gain::Over::other) line += ", over " + g.other;
      if (!g.tuning.empty()) line += "  (" + g.tuning + ")";
      page.line(line);
    }
    for (const std::string& line : evidence_.machines(rung_.id).lines())
      page.line(line);
    for (const RowSource& source : sources_)
      page.line(fmt::format("rows of {}: {}, stored by `{}`, last on {}", label(source), relative(source.file), source.command,
                            source.utc.substr(0, 10)));
    if (!elsewhere_.empty())
      page.line(fmt::format("{} on {}: `./ladder explain {} --machine {}`.", gains_.empty() ? "Stored" : "Also stored",
                            fmt::join(elsewhere_, ", "), rung_.id, elsewhere_.front()));
    if (!here_.available) {
      if (gains_.empty() && elsewhere_.empty()) page.line("Nothing is stored, and it cannot run here.");
    } else if (parent_.empty()) {
      if (gains_.empty()) page.line("Nothing is stored: `./ladder run` measures it.");
    } else if (!compared) {
      page.line(fmt::format(
          "{} here: `./ladder run` stores what a study asks for; `./ladder compare {} {} --case {}` answers now.",
          gains_.empty() ? "No study has measured it" : "No study has measured its parent", parent_, rung_.id, example_case()));
    }
  }

  void print_limits(const Page& page) const {
    if (limits_.empty()) return;
    page.heading(fmt::format("What limits it on {}, MLUPS", machine_));
    if (!has_own_ceilings_) page.line(limits_of_all_cores());
    for (const StoredLimits& l : limits_) {
      page.line(fmt::format("{:12} {:16} {} {:>8}, {} of the lowest limit", label(l), l.case_name, l.precision,
                            significant(l.updates_per_second * 1e-6), percent(l.fraction)));
      for (const std::string& limit : l.limits)
        page.line("  " + limit);
      page.line("  next: " + l.advice);
    }
  }

  void print_paper(const Page& page) const {
    if (steps_.empty()) return;
    page.heading("In the publication");
    std::string citation;
    for (const PaperStep& s : steps_) {
      if (s.citation != citation) page.line(s.citation);
      citation = s.citation;
      std::string line = fmt::format("{} '{}': {} s", s.case_name, s.label, significant(s.seconds));
      if (!std::isnan(s.speedup()))
        line += fmt::format(", {} over '{}' ({} s)", times(s.speedup()), s.over, significant(s.over_seconds));
      if (!std::isnan(s.stated)) line += fmt::format("; its text says {}", times(s.stated));
      page.line(line);
    }
  }

  [[nodiscard]] std::string example_case() const {
    if (!rung_.is_built) return "CASE";
    const std::vector<std::string>& cases = description_.cases;
    return cases.size() > 1 ? cases[1] : cases.at(0);
  }

  Catalogue& catalogue_;
  const Executable& rung_;
  const Description& description_;
  const std::string parent_;
  const std::string machine_;
  const bool shows_sass_;
  const bool lists_sass_;
  const bool color_;
  const StoredResults& evidence_;
  const fs::path root_;
  const Availability here_;
  Difference difference_;
  std::vector<Definition> definitions_;
  std::vector<Gain> gains_;
  std::vector<RowSource> sources_;
  std::vector<std::string> elsewhere_;  ///< other machines with rows
  std::vector<StoredLimits> limits_;
  bool has_own_ceilings_ = true;
  std::vector<PaperStep> steps_;
  const std::string architecture_ = here_.compute_capability.empty() ? "sm_90" : architecture_of(here_.compute_capability);
  OffloadedKernels offloaded_;
  Sass sass_;
  Sass parent_sass_;
  std::vector<SassPair> sass_pairs_;
};

}  // namespace

int explain(const Context& context, const ExplainOptions& options) {
  release_interrupts();
  Catalogue catalogue(context.bin, context.root);
  const auto rungs = catalogue.match(options.rung);
  std::vector<fs::path> more;
  for (const std::string& study : options.studies)
    more.push_back(find_study(context.experiments, study).parent_path());
  const StoredResults evidence(context.experiments, machine_name(options.machine), more);
  for (const auto& warning : evidence.warnings())
    print_err("ladder: {}\n", warning);
  Json all = Json::array();
  for (const Executable* rung : rungs) {
    const Explanation explanation(context, options, catalogue, evidence, rung->id);
    if (options.json)
      all.push_back(explanation.json());
    else
      explanation.print();
    if (!options.json && rung != rungs.back()) write_out("\n\n");
  }
  const bool is_glob = options.rung.find_first_of("*?[") != std::string::npos;
  if (options.json) print_json(is_glob ? all : all.front());
  return exit_ok;
}

}  // namespace ladder
