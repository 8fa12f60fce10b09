#include "harness/bench/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace ladder {
namespace {

constexpr Triple negative(const Triple& t) { return {-t[0], -t[1], -t[2]}; }

/// Calls visit(shift) for the lattice itself and its 26 periodic images.
template <class Visit>
void for_each_image(const Triple& whole, Visit visit) {
  for (const int z : {-1, 0, 1})
    for (const int y : {-1, 0, 1})
      for (const int x : {-1, 0, 1})
        visit(Triple{x * whole[0], y * whole[1], z * whole[2]});
}

/// Adds the cells that `part` copies from the part `from` or one of its periodic images.
void add_transfers(const Triple& whole, const std::vector<Domain::Part>& parts, std::size_t from, Domain::Part& part) {
  for_each_image(whole, [&](const Triple& shift) {
    const Box image = parts[from].box.moved(shift);
    if (image == part.box) return;
    const Box taken = part.with_halo.common(image);
    if (taken.cells() == 0) return;
    part.transfers.push_back({from, taken.moved(negative(shift)).moved(negative(parts[from].with_halo.origin)),
                              taken.moved(negative(part.with_halo.origin))});
  });
}

/// Finds boxes near a given box without looking at all of them. The lattice is divided into buckets the size of the largest
/// box; each bucket lists the boxes with cells in it.
class Buckets {
 public:
  Buckets(const Triple& whole, const std::vector<Box>& boxes) : whole_(whole) {
    for (const Box& box : boxes)
      for (std::size_t a = 0; a < 3; ++a)
        side_[a] = std::max(side_[a], box.extent[a]);
    for (std::size_t a = 0; a < 3; ++a)
      count_.extent[a] = (whole[a] + side_[a] - 1) / side_[a];
    lists_.resize(static_cast<std::size_t>(count_.cells()));
    for (std::size_t n = 0; n < boxes.size(); ++n)
      for_each(boxes[n], [&](std::vector<std::size_t>& list) { list.push_back(n); });
  }

  /// The boxes that may have cells in `box`, in ascending order; `box` may extend beyond the lattice.
  std::vector<std::size_t> near(const Box& box) {
    std::vector<std::size_t> found;
    for_each_image(whole_, [&](const Triple& shift) {
      for_each(box.moved(shift).common({{}, whole_}),
               [&](const std::vector<std::size_t>& list) { found.insert(found.end(), list.begin(), list.end()); });
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  /// Calls visit(list) for each bucket that contains cells of the box.
  template <class Visit>
  void for_each(const Box& box, Visit visit) {
    if (box.cells() == 0) return;
    Box range;
    for (std::size_t a = 0; a < 3; ++a) {
      range.origin[a] = box.origin[a] / side_[a];
      range.extent[a] = (box.origin[a] + box.extent[a] - 1) / side_[a] + 1 - range.origin[a];
    }
    for (std::int64_t n = 0; n < range.cells(); ++n) {
      const Triple at = range.place(n);
      visit(lists_[static_cast<std::size_t>(count_.number(at[0], at[1], at[2]))]);
    }
  }

  Triple whole_, side_ = {1, 1, 1};
  Box count_;
  std::vector<std::vector<std::size_t>> lists_;
};

/// The rank of each box, based on the boxes' weights. Ranks ascend from 0 without gaps.
std::vector<int> ranks_of(const std::vector<double>& weights, int processes) {
  const auto n = static_cast<std::int64_t>(weights.size());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> ranks;
  double before = 0;
  for (std::int64_t box = 0; box < n; ++box) {
    // The rank that would own the middle of the box if boxes could be cut.
    const double middle = (before + weights[box] / 2) / total * processes;
    const std::int64_t least = processes - (n - box);  // leave at least one box for each later rank
    const std::int64_t most = ranks.empty() ? 0 : ranks.back() + 1;
    const std::int64_t last = ranks.empty() ? 0 : ranks.back();
    const std::int64_t wanted = std::clamp<std::int64_t>(static_cast<std::int64_t>(middle), last, processes - 1);
    ranks.push_back(static_cast<int>(std::min(std::max(wanted, least), most)));
    before += weights[box];
  }
  return ranks;
}

}  // namespace

Domain::Domain(const Triple& whole, const Triple& boxes, std::int64_t depth) {
  Triple halo{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (boxes[a] < 1 || boxes[a] > whole[a])
      throw InputError(fmt::format("{} cells cannot be cut into {} boxes; accepted are 1 to {}", whole[a], boxes[a], whole[a]));
    if (boxes[a] > 1) halo[a] = depth;
    const std::int64_t widest = (whole[a] + boxes[a] - 1) / boxes[a] + 2 * halo[a];
    if (widest > whole[a])
      throw InputError(fmt::format("a box and its halo of {} cells reach around a lattice of {} cells", halo[a], whole[a]));
  }
  const auto first = [&](std::size_t a, std::int64_t n) { return whole[a] * n / boxes[a]; };
  for (std::int64_t n = 0; n < boxes[0] * boxes[1] * boxes[2]; ++n) {
    const Triple at = Box{{}, boxes}.place(n);
    Part part;
    for (std::size_t a = 0; a < 3; ++a) {
      part.box.origin[a] = first(a, at[a]);
      part.box.extent[a] = first(a, at[a] + 1) - part.box.origin[a];
    }
    part.with_halo = part.box.grown(halo);
    part.rank = static_cast<int>(n);
    parts_.push_back(part);
  }
  for (Part& part : parts_)
    for (std::size_t from = 0; from < parts_.size(); ++from)
      add_transfers(whole, parts_, from, part);
}

Domain::Domain(const Triple& whole, const std::vector<Box>& boxes, std::int64_t depth, int processes,
               const std::vector<double>& weights) {
  if (boxes.empty()) throw InputError("a domain without boxes; accepted: at least one");
  if (processes < 1 || static_cast<std::size_t>(processes) > boxes.size())
    throw InputError(fmt::format("{} boxes cannot be spread over {} processes; accepted are 1 to {}", boxes.size(), processes,
                                 boxes.size()));
  if (!weights.empty() && (weights.size() != boxes.size() ||
                           !std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0 && std::isfinite(w); })))
    throw InputError(fmt::format("the weights of boxes are not one positive number for each of {} boxes", boxes.size()));
  Triple halo{};
  for (const Box& box : boxes)
    for (std::size_t a = 0; a < 3; ++a) {
      if (box.extent[a] < 1 || box.origin[a] < 0 || box.extent[a] > whole[a] - box.origin[a])
        throw InputError(fmt::format("a box of {} cells from {} does not lie in a lattice of {} cells", box.extent[a],
                                     box.origin[a], whole[a]));
      if (box.extent[a] < whole[a]) halo[a] = depth;
    }
  std::vector<double> weight = weights;
  for (const Box& box : boxes) {
    for (std::size_t a = 0; a < 3; ++a)
      if (box.extent[a] + 2 * halo[a] > whole[a])
        throw InputError(fmt::format("a box and its halo of {} cells reach around a lattice of {} cells", halo[a], whole[a]));
    if (weights.empty()) weight.push_back(static_cast<double>(box.cells()));
    Part part;
    part.box = box;
    part.with_halo = box.grown(halo);
    parts_.push_back(part);
  }
  const std::vector<int> ranks = ranks_of(weight, processes);
  Buckets buckets(whole, boxes);
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    parts_[n].rank = ranks[n];
    for (const std::size_t from : buckets.near(parts_[n].with_halo)) {
      if (from != n && boxes[n].common(boxes[from]).cells() > 0)
        throw InputError(fmt::format("boxes {} and {} of a domain overlap; accepted: boxes without common cells", n, from));
      add_transfers(whole, parts_, from, parts_[n]);
    }
  }
}

}  // namespace ladder
