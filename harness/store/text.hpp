#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// `text` on one line, without surrounding blanks, as table cells hold it. Control characters become blanks.
std::string one_line(std::string_view text);

/// Lower-case letters, digits and single dashes: a name that is safe as a file name everywhere.
std::string slug(std::string_view text);

/// Whether a glob, as of a shell (`d2q9/openmp/*`), matches the text; `*` matches slashes, too.
bool matches(const std::string& glob, const std::string& text);
/// Whether one of the globs does; also if there are none.
bool matches_any(const std::vector<std::string>& globs, const std::string& text);

}  // namespace ladder
