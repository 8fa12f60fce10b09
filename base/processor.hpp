#pragma once

#include <string>

namespace ladder {

/// The processor's name as the operating system gives it.
std::string processor_name();

}  // namespace ladder
