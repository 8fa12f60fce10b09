#pragma once

#include <functional>
#include <vector>

#include "harness/run/plan.hpp"

namespace ladder {

/// Removes the ceilings that cannot run here or that no cell is compared with. A cell that can run here is compared with
/// * the copies with its access pattern and precision, STREAM's triad, and other bandwidths in its precision, at about the size
///   of its lattice (in one or two copies) and at the largest size in the study;
/// * the peak of the arithmetic that it computes in;
/// * latencies of its backend and, if it runs in several processes, the messages of its backend.
/// All of these are measured with the cell's backend or, if the study has no such ceiling, with the first backend that uses
/// the same kind of device; and in a cell's placement and with its number of workers, if the study names them.
/// `is_gpu`: whether an executable uses a GPU here.
void keep_needed_ceilings(std::vector<Cell>& cells, const std::function<bool(const Executable&)>& is_gpu);

}  // namespace ladder
