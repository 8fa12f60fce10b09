// Idea:    a list of the links between fluid and boundary cells: the kernel of the cells needs no neighbours' flags
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice; links[direction][link], 8 bytes
// Traffic: a flag of every cell; 19 numbers of each fluid cell read and written; a link, a number read and one written for each
//          returned population
// Source:  this project
// Bound:   memory bandwidth; the launch of a second kernel
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "variants/d3q19/cuda/vectors.hpp"

namespace d3q19 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid + 1 + of.returned * (real + 8), (19 * of.fluid + of.returned) * real}};
}

constexpr unsigned most_linked_cells = 1u << 29;  // with padding: a link has 29 bits for the number of a cell
constexpr unsigned group = 128;                   // links of one direction that a block works on, one thread each

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

/// Writes the returned populations into the boundary cells: one thread per link.
template <class real>
__global__ void __launch_bounds__(group) follow_links(LinkStep<real> all) {
  const auto& f = all.step.f;
  int i = 1;
  while (blockIdx.x >= all.first[i + 1])
    ++i;
  const Link link = all.links[blockIdx.x * group + threadIdx.x];
  const int kind = static_cast<int>(link.beyond >> 29);
  if (kind == 0) return;
  real u[3] = {0, 0, 0};
  if (kind == D3Q19_PRESSURE) {
    real site[19];
#pragma unroll
    for (int k = 0; k < 19; ++k)
      site[k] = f.of[k][link.cell];
    d3q19_velocity(site, u);
  }
  f.of[d3q19_opposite[i]][link.beyond & (most_linked_cells - 1)] =
      d3q19_returned_at(f.of[i][link.cell], i, kind, all.step.speed, u);
}

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::ObstacleSolver(c, row_block(tuning), padded_rows<real>(c)), width_(lattice::cuda::vector_width<real>(tuning)) {
    if (this->strides_.y * c.ny * c.nz > most_linked_cells)
      throw ladder::Refused(ladder::Reason::too_large,
                            "box too large for this rung: up to " + std::to_string(most_linked_cells) + " cells with padding");
    const Links links(c, this->strides_.y);
    first_ = links.first;
    if (!links.all.empty()) links_.emplace(this->device_, links.all.size()).write(links.all);
  }

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 1   ? update_vectors<1, real, false>
                        : width_ == 2 ? update_vectors<2, real, false>
                                      : update_vectors<16 / sizeof(real), real, false>;
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(kernel, this->step());
      if (links_) follow();
      this->turn();
    }
  }

 private:
  void follow() {
    LinkStep<real> all{.step = this->step(), .links = links_->data(), .first = {}};
    std::copy(first_.begin(), first_.end(), all.first);
    over(this->device_, {links_->size(), 1}, {group, 1})(follow_links<real>, all);
  }

  const int width_;
  const Launch over_ = over_vectors(this->device_, this->box_, width_, this->block_);
  std::array<unsigned, 20> first_{};
  std::optional<Buffer<Link>> links_;  ///< Links::all, if there are any
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_vector_threads, "vector of cells"), d3q19::quad_tunable()},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
