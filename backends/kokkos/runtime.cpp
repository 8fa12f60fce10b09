#include "backends/kokkos/runtime.hpp"

namespace ladder::kokkos {

void start() {
  struct Runtime {
    Runtime() {
      // Suppresses Kokkos's advice about OMP_PROC_BIND on stderr.
      char option[] = "--kokkos-disable-warnings";
      char* arguments[] = {option, nullptr};
      int count = 1;
      Kokkos::initialize(count, arguments);
    }
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    ~Runtime() { Kokkos::finalize(); }
  };
  static const Runtime runtime;
}

}  // namespace ladder::kokkos
