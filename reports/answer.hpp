#pragma once

#include <string>
#include <vector>

#include "reports/sections/sections.hpp"

namespace ladder::reports {

/// An answer to the question of any study on one machine, in up to three plain sentences:
///  1. the fastest rung on the largest case, with its rate;
///  2. its gain over the first rung of its ladder (along `follows`) and over the previous rung, and the step of that ladder
///     with the largest gain, with its idea;
///  3. what limits it (reports/limits.hpp).
/// Sentences whose values are not stored are left out. All values belong to one model and one precision, those with the most
/// measured rungs, and to the largest case that at least two of these rungs have (else the largest of all). Only cells that a
/// report shows count; programs from outside this project do not. Without any such cell there is one sentence, which gives the
/// number of failed cells or the highest ceilings; without rows there is none. The text is not escaped; the caller must do
/// that.
std::vector<std::string> answer(const Context& context);

/// The samples of the rung that the first sentence names as the fastest; none if it names none.
std::vector<const Row*> answer_rows(const Context& context);

}  // namespace ladder::reports
