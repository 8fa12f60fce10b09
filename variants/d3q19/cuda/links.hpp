#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variants/d3q19/cuda/vectors.hpp"

/// The links between fluid and boundary cells as a list: what a kernel reads of it, and its set-up.
namespace d3q19 {

inline constexpr unsigned most_linked_cells = 1u << 29;  // with padding: a link has 29 bits for the number of a cell
inline constexpr unsigned group = 128;                   // links of one direction that a block works on, one thread each

/// A fluid cell and its neighbour in the list's direction, which is not fluid.
struct Link {
  std::uint32_t cell;
  std::uint32_t beyond;  ///< the neighbour; the highest three bits: its kind, 0 in the links that fill up a group
};

/// The links of all cells: those of one direction after those of another, in whole groups.
struct Links {
  std::vector<Link> all;
  std::array<unsigned, 20> first{};  ///< group of direction i; of 19: the number of groups

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

/// Arguments of the kernel that follows the update of the cells.
template <class real>
struct LinkStep {
  Step<real> step;
  const Link* links;
  unsigned first[20];  ///< as Links::first
};

/// Base of solvers with such a list.
template <class real>
class LinkSolver : public ObstacleSolver<real> {
 protected:
  /// @throws ladder::Refused if a link has no room for the number of a cell
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
