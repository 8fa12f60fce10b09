// Probes a backend: reports whether it can run here, and its capabilities.
#include <iostream>
#include <string_view>

#include "base/standard_streams.hpp"
#include "harness/bench/probe.hpp"

int main(int argc, char** argv) {
  ladder::open_standard_streams();
  if (argc != 2 || std::string_view(argv[1]) != "probe") {
    std::cerr << "accepted is the one argument 'probe'\n";
    return ladder::exit_bad_input;
  }
  std::cout << ladder::answer_text(ladder::availability(ladder::backend_status())) << '\n';
  return ladder::written(ladder::exit_ok);
}
