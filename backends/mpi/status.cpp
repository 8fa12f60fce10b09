#include "backends/status.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

#include "backends/mpi/check.hpp"

namespace ladder::mpi {
namespace {

/// The first line of the MPI library's version text, which is available before MPI is initialized.
std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  LADDER_MPI(MPI_Get_library_version(text, &length));
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace

BackendStatus status() {
  BackendStatus status;
  // The device is where the threads run. For this backend alone that is the processor, which probe_answer() fills in.
  try {
    status.driver = library();
    status.available = true;
  } catch (const std::runtime_error& e) {
    status.reason = e.what();
  }
  status.threads = 1;
  status.ceilings = "openmp";
  status.no_profiler = "the counters of processors are not read";
  return status;
}

}  // namespace ladder::mpi
