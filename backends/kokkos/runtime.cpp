#include "backends/kokkos/runtime.hpp"

namespace ladder::kokkos {

void start() {
  struct Runtime {
    Runtime() {
      // Kokkos would advise on OMP_PROC_BIND on standard error.
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
