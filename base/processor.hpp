#pragma once

#include <string>

namespace ladder {

/// The processor's name, as reported by the operating system.
std::string processor_name();

}  // namespace ladder
