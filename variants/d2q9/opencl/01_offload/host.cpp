#include "variants/d2q9/opencl/01_offload/offload.hpp"

const d2q9::Rung d2q9::rung = {
    .follows = "",
    .traffic = offload_traffic,
    .collision = "textbook",
    .make = ladder::make_solver<Offload, Model>,
};
