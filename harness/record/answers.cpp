#include "harness/record/answers.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "harness/record/foreign.hpp"
#include "harness/record/json_fields.hpp"
#include "harness/record/row_columns.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;
using column::Count, column::Quantity, column::Source, column::Text, column::Unstored;

template <class Answer>
std::optional<Answer> parse(std::string_view text) try {
  Answer answer;
  JsonReader(true).read(Json::parse(text), {"answer", "", ""}, answer);
  return answer;
} catch (const std::exception&) {
  return std::nullopt;
}

/// Higher than any machine can reach.
constexpr double most_updates_per_second = 1e18;

/// Whether executables fill in a column for this kind of row.
bool is_answered(Source source, const Row& row) {
  if (source == Source::any) return true;
  if (row.kind == "check") return source == Source::check;
  return source == Source::sample || (source == Source::ceiling && row.kind == "ceiling");
}

/// Sets a row's columns from the valid members of a JSON object.
class AnswerReader {
 public:
  AnswerReader(const Json& object, const Row& row) : object_(object), row_(row) {}

  void operator()(const Text& c, std::string& value) const {
    if (const Json* member = find(c); member != nullptr && member->is_string()) value = member->get<std::string>();
  }
  template <std::integral Integer>
  void operator()(const Count& c, Integer& value) const {
    constexpr double most_exact = 9007199254740992.0;  // largest integer up to which a double represents all integers exactly
    const double number = number_of(c);
    if (number <= most_exact && number == std::floor(number) && std::in_range<Integer>(static_cast<std::int64_t>(number)))
      value = static_cast<Integer>(number);
  }
  void operator()(const Quantity& c, double& value) const {
    const double number = number_of(c);
    if (number == 0 || (c.is_bounded ? number >= 1e-30 && number <= 1e30 : number > 0)) value = number;
  }
  void operator()(const Unstored& c, double& value) const { (*this)(Quantity{c.name, "", "", true, c.source}, value); }

 private:
  [[nodiscard]] const Json* find(const auto& column) const {
    const auto found = is_answered(column.source, row_) ? object_.find(column.name) : object_.end();
    return found == object_.end() ? nullptr : &*found;
  }
  /// NaN if missing.
  [[nodiscard]] double number_of(const auto& column) const {
    const Json* member = find(column);
    return member != nullptr && member->is_number() ? member->template get<double>() : Row::unknown;
  }

  const Json& object_;
  const Row& row_;
};

/// Calls take(name, value) for the known columns of a row that executables fill in.
template <class Take>
void for_each_answer(const Row& row, Take take) {
  for_each_column(row, [&](const auto& column, const auto& value) {
    if (!is_answered(column.source, row)) return;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::floating_point<Value>) {
      if (!(value >= 0)) return;
    } else if (value == Value() && column.source == Source::any) {
      return;
    }
    take(column.name, value);
  });
}

bool read_check(std::string_view text, Row& row, std::initializer_list<std::string_view> outcomes) {
  const Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object()) return false;
  row.outcome.clear();
  row.check_steps = -1;
  for_each_column(row, AnswerReader(answer, row));
  return std::ranges::find(outcomes, row.outcome) != outcomes.end() && row.check_steps >= 0;
}

constexpr std::string_view hex_mark = "hex:";

/// The path that utf8_path() returned as `text`. Paths in requests are absolute, so none begins with the mark.
std::string path_of(const std::string& text) {
  if (!text.starts_with(hex_mark)) return text;
  std::string path;
  for (std::size_t at = hex_mark.size(); at + 2 <= text.size(); at += 2)
    path += static_cast<char>(std::stoi(text.substr(at, 2), nullptr, 16));
  return path;
}

}  // namespace

std::string answer_text(const Availability& answer) { return JsonWriter(true).json(answer).dump(); }
std::string answer_text(const CaseFacts& answer) { return JsonWriter(true).json(answer).dump(); }
std::string answer_text(const ProfileFacts& answer) { return JsonWriter(true).json(answer).dump(); }
std::string answer_text(const Space& answer) { return JsonWriter(true).json(answer).dump(); }

std::optional<Availability> parse_probe(std::string_view text) { return parse<Availability>(text); }
std::optional<CaseFacts> parse_case(std::string_view text) { return parse<CaseFacts>(text); }
std::optional<ProfileFacts> parse_profile(std::string_view text) { return parse<ProfileFacts>(text); }
std::optional<Space> parse_space(std::string_view text) {
  const auto space = parse<Space>(text);
  const auto is_whole = [&](const Point& point) { return point.size() == space->names.size(); };
  return space && std::ranges::all_of(space->legal, is_whole) ? space : std::nullopt;
}

std::string utf8_path(const std::string& path) {
  if (is_utf8(path)) return path;
  std::string text(hex_mark);
  for (const char c : path)
    text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string request_text(const ForeignProgram& program) {
  ForeignProgram request = program;
  if (!request.command.empty()) request.command.front() = utf8_path(program.command.front());
  std::ranges::transform(program.needs, request.needs.begin(), utf8_path);
  return JsonWriter(true).json(request).dump();
}

ForeignProgram parse_foreign(std::string_view text) try {
  ForeignProgram program;
  JsonReader(true).read(Json::parse(text), {"contender", "", ""}, program);
  if (program.command.empty()) throw InputError("'command' is empty");
  program.command.front() = path_of(program.command.front());
  std::ranges::transform(program.needs, program.needs.begin(), path_of);
  return program;
} catch (const std::exception& e) {
  throw InputError(fmt::format("--contender: {}", e.what()));
}

std::vector<FieldText> foreign_fields() { return fields_of<ForeignProgram>(); }
std::vector<FieldText> probe_fields() { return fields_of<Availability>(); }
std::vector<FieldText> case_fields() { return fields_of<CaseFacts>(); }

std::string Space::name(const Point& point) const {
  std::map<std::string, int> sorted;
  for (std::size_t t = 0; t < names.size(); ++t)
    sorted[names[t]] = point[t];
  std::vector<std::string> parts;
  for (const auto& [name, value] : sorted)
    parts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(parts, ";"));
}

std::string check_text(const Row& row) {
  Json all;
  for_each_answer(row, [&](std::string_view name, const auto& value) { all[std::string(name)] = value; });
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool read_check(std::string_view text, Row& row) { return read_check(text, row, {"ok", "wrong"}); }

bool read_failure(std::string_view text, Row& row) {
  Row failed = row;
  failed.kind = "check";
  if (!read_check(text, failed, {"wrong", "failed", "crashed", "timeout"})) return false;
  failed.kind = row.kind;
  row = failed;
  return true;
}

SampleText sample_text(const Row& row) {
  SampleText all;
  Json label = Json::object();
  for_each_answer(row, [&](std::string_view name, const auto& value) {
    if constexpr (std::same_as<std::decay_t<decltype(value)>, std::string>) {
      if (!value.empty()) label[std::string(name)] = value;
    } else {
      all.counters.emplace_back(name, static_cast<double>(value));
    }
  });
  all.label = label.dump(-1, ' ', false, Json::error_handler_t::replace);
  return all;
}

std::string sample_answer(const Row& row) {
  const SampleText text = sample_text(row);
  Json sample = {{"run_type", "iteration"}, {"real_time", row.seconds}, {"time_unit", "s"}, {"label", text.label}};
  for (const auto& [name, value] : text.counters)
    sample[name] = value;
  return Json{{"benchmarks", Json::array({sample})}}.dump();
}

bool read_sample(std::string_view text, Row& row) {
  const Json answer = Json::parse(text, nullptr, false);
  const auto benchmarks = answer.is_object() ? answer.find("benchmarks") : answer.end();
  if (!answer.is_object() || benchmarks == answer.end() || !benchmarks->is_array()) return false;
  const auto text_of = [](const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  for (const Json& sample : *benchmarks) {
    if (!sample.is_object() || text_of(sample, "run_type") != "iteration") continue;
    row.cells = row.steps = 0;
    row.seconds = Row::unknown;
    const std::string levels = row.bytes_per_update_levels;
    for_each_column(row, AnswerReader(sample, row));
    const Json label = Json::parse(text_of(sample, "label"), nullptr, false);
    if (label.is_object()) for_each_column(row, AnswerReader(label, row));
    const auto time = sample.find("real_time");
    if (time != sample.end() && time->is_number()) row.seconds = time->get<double>();
    row.updates_per_second = static_cast<double>(row.cells) * static_cast<double>(row.steps) / row.seconds;
    const bool is_possible = row.seconds >= 1e-30 && row.seconds <= 1e30 && row.updates_per_second > 0 &&
                             row.updates_per_second <= most_updates_per_second;
    if (!is_possible || text_of(sample, "time_unit") != "s") return false;
    if (!(row.joules > 0)) row.joules = Row::unknown;
    if (std::isnan(row.joules)) row.energy_domain.clear();
    if (parse_phases(row.phases).empty()) row.phases.clear();
    if (parse_levels(row.bytes_per_update_levels).empty()) row.bytes_per_update_levels = levels;
    if (const auto all = parse_levels(row.bytes_per_update_levels); !all.empty())
      row.bytes_per_update_model = all.front().read + all.front().write;
    return true;
  }
  return false;
}

}  // namespace ladder
