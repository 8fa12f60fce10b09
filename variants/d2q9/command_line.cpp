#include "harness/rung_main.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

int command_line(const Rung& the_rung, const ladder::RungInfo& info, int argc, char** argv) {
  return ladder::rung_main<Model>(the_rung, info, argc, argv);
}

}  // namespace d2q9
