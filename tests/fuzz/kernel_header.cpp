// The five header lines of a kernel file.
#include "harness/record/kernel_header.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  ladder::KernelHeader header;
  if (!accepts([&] { header = ladder::parse_kernel_header(input); })) return;
  for (const std::string* text : {&header.idea, &header.layout, &header.traffic, &header.source, &header.bound}) {
    require(!text->empty(), "no line is empty");
    require(text->find('\n') == std::string::npos, "each is one line");
  }
}
