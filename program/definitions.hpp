#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The definitions in shared headers that a rung uses and the rung before it does not.
namespace ladder {

/// A function, type or macro in a source file.
struct Definition {
  std::string name;
  std::filesystem::path file;  ///< relative to the source tree
  std::size_t line = 0;        ///< where it begins, after its comment; the first line is 1
  std::string text;            ///< with its comment
  std::string owner;           ///< the class of a member; empty for others
  bool is_function = false;

  [[nodiscard]] std::size_t lines() const;
};

/// The definitions in a C++, CUDA or OpenCL source text, in order. Finds them by their form, without preprocessing: functions
/// with a body, classes, enumerations, aliases, concepts and macros with parameters, in namespaces and classes. A class is
/// followed by its members.
std::vector<Definition> definitions_in(const std::filesystem::path& file, std::string_view text);

/// The definitions of functions, types and macros whose names occur in the folder `to` but not in the folder `from`, and that
/// are in a header under variants/ or backends/ that the files of `to` include, directly or not. A folder with OpenCL kernels
/// also includes the *.cl files of its model and backend, and of all models. Functions count only if they are called or
/// qualified, methods only if a single class has them. Members of a definition that counts are left out. Paths are relative to
/// `root`.
std::vector<Definition> new_definitions(const std::filesystem::path& root, const std::filesystem::path& from,
                                        const std::filesystem::path& to);

}  // namespace ladder
