#pragma once

#include <string>
#include <string_view>

namespace ladder {

/// `text` on one line, without surrounding blanks, as table cells hold it. Control characters become blanks.
std::string one_line(std::string_view text);

/// Lower-case letters, digits and single dashes: a name that is safe as a file name everywhere.
std::string slug(std::string_view text);

}  // namespace ladder
