#include "backends/status.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

#include "backends/mpi/check.hpp"

namespace ladder::mpi {
namespace {

/// The first line of the library's description of itself, which is available before MPI is initialized.
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
  // The device is the one that the threads use: for this backend alone the processor, which probe_answer() adds.
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
