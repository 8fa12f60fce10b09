// Builds without NCCL.
#include "base/error.hpp"
#include "roofline/ceilings/mpi+cuda/ways.hpp"

namespace ladder::ceilings {

std::unique_ptr<Way> send_with_nccl(const cuda::Device&, const Messages&) { throw Unavailable("this build lacks NCCL"); }

}  // namespace ladder::ceilings
