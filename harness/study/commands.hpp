#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/placement.hpp"
#include "harness/study/study.hpp"

/// Commands that a study specifies for launchers and contenders, possibly with placeholders.
namespace ladder {

/// A placeholder in a launcher's command and the placement value that it represents.
struct Placeholder {
  std::string_view name;
  int Placement::*member;
};
inline constexpr std::array placement_placeholders = {
    Placeholder{"{nodes}", &Placement::nodes}, Placeholder{"{processes}", &Placement::processes},
    Placeholder{"{threads}", &Placement::threads}, Placeholder{"{devices}", &Placement::devices}};

/// Checks the words of a launcher's command, in which {nodes}, {processes}, {threads} and {devices} represent values of the
/// placement. @throws InputError for an unknown placeholder, or if {processes} is missing
void require_launcher(const std::vector<std::string>& command);

/// Checks the values of a block. @throws whatever `refuse(key, what)` throws for the value of a key
void require_contender(const ContenderBlock& block,
                       const std::function<void(const char* key, const std::string& what)>& refuse);

}  // namespace ladder
