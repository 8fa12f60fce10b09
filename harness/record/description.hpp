#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/field.hpp"
#include "harness/record/tuning.hpp"

/// Executables' answers to `describe`.
namespace ladder {

/// Operation counts for one form of the collision: names (`add`, `mul`, …) and counts, in the order of the file.
struct OperationCounts {
  std::string form;
  std::vector<std::pair<std::string, double>> counts;  ///< excluding the total
  double total = 0;
};

/// Bytes moved per update.
struct TrafficFacts {
  double read = 0;
  double write = 0;
};
void for_each_field(Is<TrafficFacts> auto& t, auto&& visit) {
  visit(Field{"read", "B", "bytes read per update", Field::needed}, t.read);
  visit(Field{"write", "B", "bytes written per update", Field::needed}, t.write);
}

void for_each_field(Is<Tunable> auto& t, auto&& visit) {
  visit(Field{"name", "", "name of the tunable", Field::needed}, t.name);
  visit(Field{"meaning", "", "meaning and unit", Field::needed}, t.meaning);
  visit(Field{"values", "", "legal values", Field::needed_any_sign}, t.values);
  visit(Field{"initial", "", "default value", Field::needed_any_sign}, t.initial);
}

/// What is known about a rung before it is built.
struct SourceDescription {
  std::string id, model, backend, build, follows, idea, layout, traffic, source, bound;
};
void for_each_field(Is<SourceDescription> auto& r, auto&& visit) {
  visit(Field{"id", "", "rung id; `ceiling/<backend>` for ceilings"}, r.id);
  visit(Field{"model", "", "lattice and physics, e.g. `d2q9`", Field::needed}, r.model);
  visit(Field{"backend", "", "programming model"}, r.backend);
  visit(Field{"build", "", "build variant"}, r.build);
  visit(Field{"follows", "", "rung to which this one adds an idea"}, r.follows);
  visit(Field{"idea", "", "from the kernel file's header"}, r.idea);
  visit(Field{"layout", "", "from the kernel file's header"}, r.layout);
  visit(Field{"traffic", "", "from the kernel file's header"}, r.traffic);
  visit(Field{"source", "", "from the kernel file's header"}, r.source);
  visit(Field{"bound", "", "from the kernel file's header"}, r.bound);
}

/// A rung's description as stored in provenance, with hashes of its executable and its sources. Most fields are empty for
/// ceilings.
struct RungDescription : SourceDescription {
  std::string compiler, flags;
  int q = 0;
  int reach = 0;
  std::vector<std::string> numbers;
  double lattices = 0;
  std::map<std::string, TrafficFacts> bytes_per_update;  ///< by precision
  std::string level;
  std::map<std::string, double> bytes_per_update_minimum;  ///< by precision
  std::string collision;
  std::vector<OperationCounts> operations;
  std::vector<Tunable> tunables;
  std::vector<std::string> constraints;
  std::string observable;
  std::string executable, sources;
};
void for_each_field(Is<RungDescription> auto& r, auto&& visit) {
  for_each_field(base_of<SourceDescription>(r), visit);
  visit(Field{"compiler", "", "name and version"}, r.compiler);
  visit(Field{"flags", "", "compiler flags"}, r.flags);
  visit(Field{"q", "", "populations per cell"}, r.q);
  visit(Field{"reach", "cells", "largest distance that a population travels in one step"}, r.reach);
  visit(Field{"numbers", "", "number formats that the rung accepts"}, r.numbers);
  visit(Field{"lattices", "", "copies of the lattice in memory"}, r.lattices);
  visit(Field{"bytes_per_update", "B", "declared traffic, by precision"}, r.bytes_per_update);
  visit(Field{"level", "", "memory level of that traffic; `dram` if missing"}, r.level);
  visit(Field{"bytes_per_update_minimum", "B", "traffic if every population is read once and written once, by precision"},
        r.bytes_per_update_minimum);
  visit(Field{"collision", "", "form of the collision that the rung uses", Field::needed}, r.collision);
  visit(Field{"operations", "", "counted operations of each form of the model's collision", Field::needed}, r.operations);
  visit(Field{"tunables", "", "tunable parameters with their legal values", Field::needed}, r.tunables);
  visit(Field{"constraints", "", "conditions on combinations of tunable values", Field::needed}, r.constraints);
  visit(Field{"observable", "", "quantity recorded at each step"}, r.observable);
  visit(Field{"executable", "", "hash of the executable's bytes", Field::if_known}, r.executable);
  visit(Field{"sources", "", "hash of the files that it was built from", Field::if_known}, r.sources);
}

struct CaseFile {
  std::string name, meaning;
};
void for_each_field(Is<CaseFile> auto& f, auto&& visit) {
  visit(Field{"name", "", "option of `solve` that takes the file"}, f.name);
  visit(Field{"meaning", "", "content of the file"}, f.meaning);
}

/// One of a backend's ceilings.
struct CeilingDescription {
  std::string name, meaning, unit;
  std::vector<std::string> stores;
  std::vector<std::string> precisions;
  std::map<std::string, TrafficFacts> bytes_per_element;  ///< by precision
  double flops_per_element = 0;
};
void for_each_field(Is<CeilingDescription> auto& c, auto&& visit) {
  visit(Field{"name", "", "e.g. `triad`", Field::needed}, c.name);
  visit(Field{"meaning", "", "quantity that is measured"}, c.meaning);
  visit(Field{"unit", "", "unit of the result"}, c.unit);
  visit(Field{"stores", "", "kinds of stores: `plain`, `nt`", Field::needed}, c.stores);
  visit(Field{"precisions", "", "accepted number formats; all if missing"}, c.precisions);
  visit(Field{"bytes_per_element", "B", "traffic, by precision"}, c.bytes_per_element);
  visit(Field{"flops_per_element", "", "operations per element"}, c.flops_per_element);
}

/// The answer of a backend's ceilings.
struct CeilingsDescription {
  std::string backend, compiler, flags;
  std::vector<CeilingDescription> ceilings;
};
void for_each_field(Is<CeilingsDescription> auto& c, auto&& visit) {
  visit(Field{"backend", "", "programming model"}, c.backend);
  visit(Field{"compiler", "", "name and version"}, c.compiler);
  visit(Field{"flags", "", "compiler flags"}, c.flags);
  visit(Field{"ceilings", "", "ceilings of the backend", Field::needed}, c.ceilings);
}

/// The answer of a rung or of a backend's ceilings.
struct Description : RungDescription {
  std::vector<std::string> cases;
  std::vector<CaseFile> case_files;
  std::vector<CeilingDescription> ceilings;  ///< only for ceilings, with backend, compiler and flags

  /// Operations per update in the form that the rung uses; NaN if unknown.
  [[nodiscard]] double flops_per_update() const;
};
void for_each_field(Is<Description> auto& d, auto&& visit) {
  for_each_field(base_of<RungDescription>(d), visit);
  visit(Field{"cases", "", "names of cases; other sizes are possible", Field::needed}, d.cases);
  visit(Field{"case_files", "", "files of a case that `solve` reads"}, d.case_files);
}

/// Parses an answer to `describe`, which must have at least one case, and traffic for each number format.
/// @throws InputError that describes the problem
Description parse_description(std::string_view answer);

/// Answers to `describe`, or what is known about a rung that has not been built, as JSON.
nlohmann::ordered_json described(const Description& description);
nlohmann::ordered_json described(const CeilingsDescription& description);
nlohmann::ordered_json described(const SourceDescription& description);

/// The number format called `asked`. If that is empty, the default format or, if the rung does not support it, the rung's first
/// one.
/// @throws InputError if the format is unknown or the rung does not accept it
std::string number_for(const Description& description, const std::string& asked);

}  // namespace ladder
