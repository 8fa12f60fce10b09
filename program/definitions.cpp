#include "program/definitions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "base/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// The text with comments, literals and preprocessor lines replaced by blanks, so that offsets and line breaks stay.
std::string code_of(std::string_view text) {
  std::string code(text);
  const auto erase = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  bool starts_line = true;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    const char c = text[i];
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
      erase(i, end);
    } else if (text.substr(i, 2) == "/*") {
      end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      erase(i, end);
    } else if (c == '#' && starts_line) {
      for (end = text.find('\n', i); end < text.size() && text[end - 1] == '\\';)
        end = text.find('\n', end + 1);
      erase(i, end = std::min(end, text.size()));
    } else if (text.substr(i, 2) == "R\"" && (i == 0 || !is_word(text[i - 1]))) {
      const std::size_t bracket = std::min(text.find('(', i), text.size());
      const std::string close = ")" + std::string(text.substr(i + 2, bracket - i - 2)) + "\"";
      end = std::min(text.find(close, bracket), text.size() - close.size()) + close.size();
      erase(i, end);
    } else if (c == '"' || (c == '\'' && (i == 0 || !is_word(text[i - 1])))) {  // but not in 1'000
      while (end < text.size() && text[end] != c && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      erase(i, end = std::min(end + 1, text.size()));
    }
    starts_line = c == '\n' || (starts_line && is_blank(c));
    i = end;
  }
  return code;
}

/// The offset after the bracket that closes the one at `begin`; the end of the text if there is none.
std::size_t after_bracket(std::string_view code, std::size_t begin) {
  const char open = code[begin], close = open == '{' ? '}' : open == '(' ? ')' : open == '[' ? ']' : '>';
  int depth = 0;
  for (std::size_t i = begin; i < code.size(); ++i) {
    if (open == '<' && code[i] == '(') i = std::min(after_bracket(code, i), code.size() - 1);  // may contain a comparison
    if (code[i] == open) ++depth;
    if (code[i] == close && --depth == 0) return i + 1;
  }
  return code.size();
}

/// The word that ends before `end`, ignoring blanks.
std::string_view word_before(std::string_view code, std::size_t end) {
  while (end > 0 && is_blank(code[end - 1]))
    --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(code[begin - 1]))
    --begin;
  return code.substr(begin, end - begin);
}

/// A statement's text without leading `template <…>`, `requires (…)` and attributes.
std::string_view without_template(std::string_view head) {
  for (head = trimmed(head);; head = trimmed(head)) {
    const std::size_t bracket = head.find_first_of("<([{");
    if (head.starts_with("[["))
      head.remove_prefix(after_bracket(head, 0));
    else if (bracket != head.npos && trimmed(head.substr(0, bracket)) == (head[bracket] == '<' ? "template" : "requires"))
      head.remove_prefix(after_bracket(head, bracket));
    else
      return head;
  }
}

/// What a `{` or `;` after this text begins or ends.
struct Head {
  enum class Kind { none, space, type, function, alias } kind = Kind::none;
  std::string name;
};

Head parse_head(std::string_view text) {
  using Kind = Head::Kind;
  const std::string_view head = without_template(text);
  std::size_t word_end = 0;
  while (word_end < head.size() && is_word(head[word_end]))
    ++word_end;
  const std::string_view first = head.substr(0, word_end);
  if (first == "namespace" || first == "extern" || head.starts_with("inline namespace")) {
    // `extern "C" {` has lost its literal.
    if (first != "extern" || trimmed(head.substr(word_end)).empty()) return {Kind::space, ""};
  }
  if (first == "using" || first == "concept") {
    const std::size_t equals = head.find('=');
    return equals == head.npos ? Head{} : Head{Kind::alias, std::string(word_before(head, equals))};
  }
  if (first == "struct" || first == "class" || first == "union" || first == "enum") {
    std::string name;
    for (std::size_t i = word_end; i < head.size();) {
      const char c = head[i];
      if (c == '(' || c == '[') {  // alignas(…) or an attribute
        i = after_bracket(head, i);
        continue;
      }
      if (!is_word(c)) {
        if (c == ':' || c == '<') break;
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < head.size() && is_word(head[end]))
        ++end;
      if (const auto word = head.substr(i, end - i); word != "final" && word != "class" && word != "struct") name = word;
      i = end;
    }
    return {Kind::type, name};
  }
  static constexpr std::array<std::string_view, 7> not_names = {"decltype",          "noexcept",      "alignas", "requires",
                                                                "__launch_bounds__", "__attribute__", "explicit"};
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '=') return {};  // a variable
    if (head[i] != '(') continue;
    const std::string_view name = word_before(head, i);
    if (name.empty()) return {};
    if (std::ranges::find(not_names, name) == not_names.end()) return {Kind::function, std::string(name)};
    i = after_bracket(head, i) - 1;
  }
  return {};
}

/// Whether a `{` after this text initializes a member of a constructor's list, e.g. after `Box(int n) : n_`.
bool is_initializer(std::string_view head) {
  const std::size_t bracket = head.find(')');
  if (bracket == head.npos || head.empty() || (!is_word(head.back()) && head.back() != '>')) return false;
  const std::string_view rest = trimmed(head.substr(bracket + 1));
  for (const std::string_view word : {"const", "noexcept", "override", "final"})
    if (rest.ends_with(word)) return false;
  return rest.starts_with(":") || rest.find(" : ") != rest.npos;
}

class Scanner {
 public:
  Scanner(const fs::path& file, std::string_view text) : file_(file), text_(text), code_(code_of(text)) {}

  std::vector<Definition> scan() {
    macros();
    block(0, code_.size(), "");
    std::ranges::stable_sort(found_, {}, &Definition::line);
    return std::move(found_);
  }

 private:
  /// Adds the definition in [begin, end), with the comment before it.
  void add(const std::string& name, std::size_t begin, std::size_t end, const std::string& owner, bool is_function) {
    if (name.empty() || name == "operator") return;
    while (begin < end && is_blank(code_[begin]))
      ++begin;
    const auto line_begin = [&](std::size_t at) { return at == 0 ? 0 : text_.rfind('\n', at - 1) + 1; };
    const auto line = static_cast<std::size_t>(1 + std::ranges::count(text_.substr(0, begin), '\n'));
    std::size_t from = line_begin(begin);
    while (from > 0) {
      const std::size_t before = line_begin(from - 1);
      const std::string_view comment = trimmed(text_.substr(before, from - before));
      if (!comment.starts_with("//") && !comment.starts_with("*") && !comment.starts_with("/*")) break;
      from = before;
    }
    found_.push_back({name, file_, line, std::string(text_.substr(from, end - from)), owner, is_function});
  }

  void macros() {
    constexpr std::string_view directive = "#define ";
    for (std::size_t at = text_.find(directive); at < text_.size(); at = text_.find(directive, at + 1)) {
      std::size_t end = at + directive.size();
      while (end < text_.size() && is_word(text_[end]))
        ++end;
      if (end == text_.size() || text_[end] != '(') continue;
      const std::string name(text_.substr(at + directive.size(), end - at - directive.size()));
      for (end = text_.find('\n', at); end < text_.size() && text_[end - 1] == '\\';)
        end = text_.find('\n', end + 1);
      // code_ is blank here, but add() must not skip the line.
      std::ranges::fill(code_.begin() + static_cast<std::ptrdiff_t>(at), code_.begin() + static_cast<std::ptrdiff_t>(at + 1),
                        '#');
      add(name, at, std::min(end, text_.size()), "", false);
      code_[at] = ' ';
    }
  }

  /// Scans the body of a namespace, or of the class `owner`.
  void block(std::size_t begin, std::size_t end, const std::string& owner) {
    const std::string_view code = code_;
    std::size_t start = begin;  // of the statement
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view head = trimmed(code.substr(start, i - start));
      if (code[i] == '(') {
        i = std::min(after_bracket(code, i), end) - 1;
      } else if (code[i] == ':' && !owner.empty() && (head == "public" || head == "private" || head == "protected")) {
        start = i + 1;
      } else if (code[i] == ';') {
        if (const Head of = parse_head(head); of.kind == Head::Kind::alias) add(of.name, start, i + 1, owner, false);
        start = i + 1;
      } else if (code[i] == '{') {
        const Head of = parse_head(head);
        const std::size_t close = std::min(after_bracket(code, i), end);
        if (of.kind == Head::Kind::none || of.kind == Head::Kind::alias || is_initializer(head)) {
          i = close - 1;  // the statement goes on
          continue;
        }
        if (of.kind == Head::Kind::type) {
          const std::size_t semicolon = code.find(';', close);
          add(of.name, start, std::min(semicolon, end - 1) + 1, owner, false);
          if (!without_template(head).starts_with("enum")) block(i + 1, close - 1, of.name);
          i = std::min(semicolon, end - 1);
        } else {
          if (of.kind == Head::Kind::function) add(of.name, start, close, owner, true);
          if (of.kind == Head::Kind::space) block(i + 1, close - 1, owner);
          i = close - 1;
        }
        start = i + 1;
      }
    }
  }

  fs::path file_;
  std::string_view text_;
  std::string code_;
  std::vector<Definition> found_;
};

/// How a name is used.
struct Uses {
  bool as_method = false;  ///< x.name(…) or Class::name(…)
  bool called = false;     ///< name(…) or space::name
  bool free = false;       ///< used other than as a method
};

bool is_source(const fs::path& path) {
  static const std::set<std::string> endings{".cpp", ".hpp", ".h", ".cl", ".cu", ".cuh"};
  return endings.contains(path.extension().string());
}

/// The source files in a folder, sorted; none if there is no such folder.
std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && is_source(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::map<std::string, Uses> names_in(const fs::path& folder) {
  std::map<std::string, Uses> names;
  for (const fs::path& file : sources_in(folder)) {
    const std::string text = code_of(read_if_there(file));
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!is_word(text[i])) continue;
      std::size_t end = i;
      while (end < text.size() && is_word(text[end]))
        ++end;
      const std::string_view before = trimmed(std::string_view(text).substr(0, i));
      const bool is_call = end < text.size() && (text[end] == '(' || text[end] == '<' || text[end] == '{');
      const bool is_qualified = before.ends_with("::");
      const std::string_view space = is_qualified ? word_before(before, before.size() - 2) : "";
      Uses& uses = names[text.substr(i, end - i)];
      if (before.ends_with(".") || before.ends_with("->") || (!space.empty() && std::isupper(space[0]) != 0)) {
        uses.as_method = uses.as_method || is_call;
      } else if (space != "std") {
        uses.called = uses.called || is_call || is_qualified;
        uses.free = true;
      }
      i = end;
    }
  }
  return names;
}

/// The files of variants/ and backends/ that the files of a rung's folder include, directly or not.
std::set<fs::path> headers_of(const fs::path& root, const fs::path& folder) {
  std::vector<fs::path> open = sources_in(root / folder);
  const bool has_kernels = std::ranges::any_of(open, [](const fs::path& file) { return file.extension() == ".cl"; });
  std::set<fs::path> headers;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    if (file.parent_path() != root / folder && fs::is_regular_file(file, error) && headers.insert(file).second)
      open.push_back(file);
  };
  if (has_kernels)  // the harness prepends these texts to the kernels
    for (const fs::path& shared : {folder.parent_path(), fs::path("variants/lattice/opencl"), fs::path("backends/opencl")})
      for (const fs::path& file : sources_in(root / shared))
        if (file.extension() == ".cl") add(file);
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    std::istringstream lines(read_if_there(file));
    constexpr std::string_view directive = "#include \"";
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(directive)) continue;
      const std::string name = line.substr(directive.size(), line.find('"', directive.size()) - directive.size());
      if (name.starts_with("variants/") || name.starts_with("backends/")) add(root / name);
    }
  }
  return headers;
}

}  // namespace

std::size_t Definition::lines() const { return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1; }

std::vector<Definition> definitions_in(const fs::path& file, std::string_view text) { return Scanner(file, text).scan(); }

std::vector<Definition> new_definitions(const fs::path& root, const fs::path& from, const fs::path& to) {
  std::map<std::string, Uses> names = names_in(root / to);
  for (const auto& [name, uses] : names_in(root / from))
    names.erase(name);
  for (const fs::path& file : sources_in(root / to))
    for (const Definition& own : definitions_in(file, read_if_there(file)))
      names.erase(own.name);
  // Names that the standard library's containers also use.
  for (const char* common : {"at", "back", "begin", "clear", "data", "empty", "end", "front", "get", "insert", "push_back",
                             "reset", "resize", "size", "value"})
    if (const auto found = names.find(common); found != names.end()) found->second.as_method = false;
  std::vector<Definition> all;
  std::map<std::string, std::set<std::string>> owners;  // classes that have a method of this name
  for (const fs::path& file : headers_of(root, to)) {
    for (Definition& definition : definitions_in(file.lexically_relative(root), read_if_there(file))) {
      if (!definition.owner.empty()) owners[definition.name].insert(definition.owner);
      const auto found = names.find(definition.name);
      if (found == names.end()) continue;
      const Uses& uses = found->second;
      if (!definition.owner.empty() ? !uses.as_method : definition.is_function ? !uses.called : !uses.free) continue;
      const bool is_part =
          !all.empty() && all.back().file == definition.file && all.back().text.find(definition.text) != std::string::npos;
      if (!is_part) all.push_back(std::move(definition));
    }
  }
  std::erase_if(all, [&](const Definition& d) { return !d.owner.empty() && owners.at(d.name).size() > 1; });
  return all;
}

}  // namespace ladder
