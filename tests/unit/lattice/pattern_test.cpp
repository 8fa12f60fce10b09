// Streaming patterns: each moves populations like the pull pattern, for even and odd steps and any number of boxes.
#include "variants/lattice/pattern.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace lattice {
namespace {

template <class Lattice_, class Pattern_>
struct Pair {
  using L = Lattice_;
  using Pattern = Pattern_;
};

template <class P>
class APattern : public testing::Test {};
using Pairs =
    testing::Types<Pair<D2Q9, Pull>, Pair<D2Q9, Push>, Pair<D2Q9, PullPush>, Pair<D2Q9, AA>, Pair<D2Q9, Esoteric>,
                   Pair<D3Q19, Pull>, Pair<D3Q19, Push>, Pair<D3Q19, PullPush>, Pair<D3Q19, AA>, Pair<D3Q19, Esoteric>,
                   Pair<D3Q27, Pull>, Pair<D3Q27, Push>, Pair<D3Q27, PullPush>, Pair<D3Q27, AA>, Pair<D3Q27, Esoteric>,
                   Pair<D2Q37, Pull>, Pair<D2Q37, Push>, Pair<D2Q37, PullPush>, Pair<D2Q37, AA>, Pair<D2Q37, Esoteric>>;
TYPED_TEST_SUITE(APattern, Pairs);

TYPED_TEST(APattern, ReadsWhatItWroteInTheNeighbourThatItMovesTo) {
  using L = typename TypeParam::L;
  using Pattern = typename TypeParam::Pattern;
  for (int phase = 0; phase < Pattern::phases; ++phase)
    for (int i = 0; i < L::q; ++i) {
      const Access write = Pattern::template write<L>(phase, i);
      const Access read = Pattern::template read<L>((phase + 1) % Pattern::phases, i);
      EXPECT_EQ(read.slot, write.slot) << i;
      EXPECT_EQ(read.offset, write.offset + -L::c(i)) << i;
    }
}

TYPED_TEST(APattern, WritesWhereItReadsIfItIsInPlace) {
  using L = typename TypeParam::L;
  using Pattern = typename TypeParam::Pattern;
  for (int phase = 0; phase < Pattern::phases; ++phase)
    for (int i = 0; i < L::q; ++i) {
      bool found = false;
      for (int j = 0; j < L::q; ++j)
        found |= Pattern::template read<L>(phase, j) == Pattern::template write<L>(phase, i);
      EXPECT_TRUE(found || !Pattern::in_place) << i;
    }
}

/// A lattice without physics: collision permutes the populations of a cell, so that misplaced ones show up.
template <class L, class Pattern>
class Toy {
 public:
  explicit Toy(const ladder::Box& box)
      : n_{box.extent[0], box.extent[1], box.extent[2]},
        strides_(padded_rows<L, double>(n_)),
        f_(static_cast<std::size_t>(required_span_size(L::q, n_, strides_)), -1),
        g_(f_) {}

  [[nodiscard]] Places places() const { return lattice::places<L, Pattern>(n_, strides_, phase_); }
  void load(const ladder::Populations& in) { lattice::load(f_.data(), places(), in); }
  void store(ladder::Populations& out) const { lattice::store(f_.data(), places(), out); }
  [[nodiscard]] double sum() const { return lattice::sum(f_.data(), places()); }

  void step() {
    std::vector<double>& to = Pattern::in_place ? f_ : g_;
    for (std::int64_t z = 0; z < n_.z; ++z)
      for (std::int64_t y = 0; y < n_.y; ++y)
        for (std::int64_t x = 0; x < n_.x; ++x) {
          double arrived[L::q];
          for (int i = 0; i < L::q; ++i)
            arrived[i] = f_[at(Pattern::template read<L>(phase_, i), x, y, z)];
          for (int i = 0; i < L::q; ++i)
            to[at(Pattern::template write<L>(phase_, i), x, y, z)] = arrived[(i + 1) % L::q];
        }
    if (!Pattern::in_place) f_.swap(g_);
    phase_ = (phase_ + 1) % Pattern::phases;
  }

 private:
  [[nodiscard]] std::size_t at(const Access& a, std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>(
        strides_(a.slot, wrapped(x + a.offset.x, n_.x), wrapped(y + a.offset.y, n_.y), wrapped(z + a.offset.z, n_.z)));
  }

  Extents n_;
  Strides strides_;
  std::vector<double> f_, g_;
  int phase_ = 0;
};

template <class L>
constexpr ladder::Box whole = {{}, {17, 16, L::dimensions == 3 ? 15 : 1}};

template <class L>
ladder::Populations start() {
  ladder::Populations state(L::q, whole<L>);
  for (std::size_t n = 0; n < state.f.size(); ++n)
    state.f[n] = ladder::uniform(n);
  return state;
}

template <class L>
ladder::Populations pulled(int steps) {
  Toy<L, Pull> toy(whole<L>);
  toy.load(start<L>());
  for (int step = 0; step < steps; ++step)
    toy.step();
  ladder::Populations state(L::q, whole<L>);
  toy.store(state);
  return state;
}

TYPED_TEST(APattern, MovesPopulationsAsPullDoes) {
  using L = typename TypeParam::L;
  for (const int steps : {0, 1, 2, 3}) {
    Toy<L, typename TypeParam::Pattern> toy(whole<L>);
    toy.load(start<L>());
    for (int step = 0; step < steps; ++step)
      toy.step();
    ladder::Populations state(L::q, whole<L>);
    toy.store(state);
    EXPECT_EQ(state.f, pulled<L>(steps).f) << steps;
    EXPECT_NEAR(toy.sum(), start<L>().total(), 1e-9);
  }
}

TYPED_TEST(APattern, GoesOnFromAStateThatIsLoadedAtAnyParity) {
  using L = typename TypeParam::L;
  for (const int before : {0, 1}) {
    Toy<L, typename TypeParam::Pattern> toy(whole<L>);
    for (int step = 0; step < before; ++step)
      toy.step();
    toy.load(start<L>());
    toy.step();
    ladder::Populations state(L::q, whole<L>);
    toy.store(state);
    EXPECT_EQ(state.f, pulled<L>(1).f);
  }
}

TYPED_TEST(APattern, GivesTheSameOnTwoBoxesAlongEachAxis) {
  using L = typename TypeParam::L;
  const ladder::Domain domain(whole<L>.extent, {2, 2, L::dimensions == 3 ? 2 : 1}, L::reach);
  std::vector<Toy<L, typename TypeParam::Pattern>> toys;
  const ladder::Populations first = start<L>();
  for (const auto& part : domain.parts()) {
    toys.emplace_back(part.with_halo);
    ladder::Populations state(L::q, part.with_halo);
    for (std::int64_t n = 0; n < state.cells(); ++n) {
      const auto [x, y, z] = part.with_halo.place(n);
      const auto [nx, ny, nz] = whole<L>.extent;
      const auto cell = whole<L>.number(ladder::wrapped(x, nx), ladder::wrapped(y, ny), ladder::wrapped(z, nz));
      for (int i = 0; i < L::q; ++i)
        state.at(i, n) = first.at(i, cell);
    }
    state.box.origin = {};
    toys.back().load(state);
  }
  for (int step = 1; step <= 3; ++step) {
    for (auto& toy : toys)
      toy.step();
    for (std::size_t n = 0; n < toys.size(); ++n)
      for (const auto& transfer : domain.parts()[n].transfers) {
        ladder::Populations cells(L::q, transfer.source);
        toys[transfer.from].store(cells);
        cells.box = transfer.target;
        toys[n].load(cells);
      }
    ladder::Populations all(L::q, whole<L>);
    for (std::size_t n = 0; n < toys.size(); ++n) {
      ladder::Populations own(L::q, domain.parts()[n].own());
      toys[n].store(own);
      own.box = domain.parts()[n].box;
      all.take(own);
    }
    EXPECT_EQ(all.f, pulled<L>(step).f) << step;
  }
}

}  // namespace
}  // namespace lattice
