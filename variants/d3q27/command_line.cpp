#include "harness/rung_main.hpp"
#include "variants/d3q27/model.hpp"

namespace d3q27 {

int command_line(const Rung& the_rung, const ladder::RungInfo& info, int argc, char** argv) {
  return ladder::rung_main<Model>(the_rung, info, argc, argv);
}

}  // namespace d3q27
