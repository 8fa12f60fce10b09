#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variants/d3q19/cuda/vectors.hpp"

/// The links between fluid and boundary cells as a list: the kernels' view of it, and its setup.
namespace d3q19 {

inline constexpr unsigned most_linked_cells = 1u << 29;  // including padding: a link has 29 bits for a cell index
inline constexpr unsigned group = 128;                   // links of one direction that a block processes, one per thread

/// A fluid cell and its non-fluid neighbour in the list's direction.
struct Link {
  std::uint32_t cell;
  std::uint32_t beyond;  ///< the neighbour; the top three bits hold its kind, or 0 in links that pad a group
};

/// The links of all cells, one direction after the other, in whole groups.
struct Links {
  std::vector<Link> all;
  std::array<unsigned, 20> first{};  ///< first group of direction i; the last entry is the number of groups

  Links(const Case& c, std::int64_t pitch) {
    const std::vector<std::uint32_t> near = near_cells(c);
    const ladder::Box box{{}, c.grid()};
    for (int i = 1; i < q; ++i) {
      for (const std::uint32_t cell : near) {
        const auto [x, y, z] = box.place(cell);
        const std::int64_t bx = ladder::wrapped(x + d3q19_cx[i], c.nx), by = ladder::wrapped(y + d3q19_cy[i], c.ny),
                           bz = ladder::wrapped(z + d3q19_cz[i], c.nz);
        if (const auto kind = static_cast<std::uint32_t>(c.kind(bx, by, bz)); kind != 0)
          all.push_back({static_cast<std::uint32_t>((z * c.ny + y) * pitch + x),
                         static_cast<std::uint32_t>((bz * c.ny + by) * pitch + bx) | kind << 29});
      }
      all.resize((all.size() + group - 1) / group * group);
      first[static_cast<std::size_t>(i) + 1] = static_cast<unsigned>(all.size() / group);
    }
  }
};

/// Arguments of the kernel that runs after the update of the cells.
template <class real>
struct LinkStep {
  Step<real> step;
  const Link* links;
  unsigned first[20];  ///< see Links::first
};

/// Base of solvers with such a list.
template <class real>
class LinkSolver : public ObstacleSolver<real> {
 protected:
  /// @throws ladder::Refused if a cell index does not fit in a link
  LinkSolver(const Case& c, Shape block, const lattice::Strides& strides) : LinkSolver::ObstacleSolver(c, block, strides) {
    if (this->strides_.y * c.ny * c.nz > most_linked_cells)
      throw ladder::Refused(ladder::Reason::too_large,
                            "box too large for this rung: up to " + std::to_string(most_linked_cells) + " cells with padding");
    const Links links(c, this->strides_.y);
    first_ = links.first;
    if (!links.all.empty()) links_.emplace(this->device_, links.all.size()).write(links.all);
  }

  /// Queues `kernel`, one thread per link, if there are any.
  void over_links(void (*kernel)(LinkStep<real>)) {
    if (!links_) return;
    LinkStep<real> all{.step = this->step(), .links = links_->data(), .first = {}};
    std::copy(first_.begin(), first_.end(), all.first);
    over(this->device_, {links_->size(), 1}, {group, 1})(kernel, all);
  }

 private:
  std::array<unsigned, 20> first_{};
  std::optional<Buffer<Link>> links_;  ///< Links::all, if there are any
};

}  // namespace d3q19
