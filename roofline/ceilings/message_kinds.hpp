#pragma once

#include <array>

#include "roofline/ceilings/kinds.hpp"

namespace ladder::ceilings {

/// Additional quantities, besides `kinds`, for ceilings of several processes. Bytes are counted once, by the sender.
inline constexpr std::array message_kinds = {
    Kind{"ping-pong", "an empty message from one process to the next and back", "round trip", 0, 0, 0},
    Kind{"barrier", "all processes wait for each other", "barrier", 0, 0, 0},
    Kind{"reduction", "the sum of a number over all processes", "reduction", 0, 0, 0},
    Kind{"halo", "numbers that a process sends to both neighbours in a ring, while as many come from them", "number", 1, 0, 0},
    Kind{"peer-copy", "a halo between GPUs: copies to the neighbours' memory", "number", 1, 0, 0},
    Kind{"peer-store", "a halo between GPUs: a kernel stores to the neighbours' memory", "number", 1, 0, 0},
    Kind{"nccl", "a halo between GPUs: messages of NCCL", "number", 1, 0, 0},
    Kind{"through-host", "a halo between GPUs: copies to the host, messages of MPI, copies to the GPU", "number", 1, 0, 0},
};

}  // namespace ladder::ceilings
