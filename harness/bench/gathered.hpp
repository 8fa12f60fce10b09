#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backends/team.hpp"
#include "harness/bench/distributed.hpp"
#include "harness/bench/rung.hpp"

namespace ladder {

/// A distributed solver as one that stores and loads any box, in every process. All processes must make the same calls.
template <class Model>
class Gathered final : public Solver<Model> {
 public:
  explicit Gathered(std::unique_ptr<Solver<Model>> own)
      : own_(std::move(own)), boxes_(dynamic_cast<const Distributed&>(*own_).owned()) {}

  void advance(std::int64_t steps) override { own_->advance(steps); }
  void wait() override { own_->wait(); }
  double conserved() override { return own_->conserved(); }
  std::span<const double> history() override { return own_->history(); }

  void store(Populations& out) override {
    std::fill(out.f.begin(), out.f.end(), 0.0);
    for_common(out.box, [&](Populations& cells) {
      own_->store(cells);
      out.take(cells);
    });
    // Each cell has one owner, and is 0 elsewhere.
    constexpr std::size_t at_a_time = std::size_t{1} << 24;
    for (std::size_t first = 0; first < out.f.size(); first += at_a_time)
      team().add({out.f.data() + first, std::min(at_a_time, out.f.size() - first)});
  }

  void load(const Populations& in) override {
    for_common(in.box, [&](Populations& cells) {
      cells.take(in);
      own_->load(cells);
    });
  }

 private:
  /// Calls visit(cells) for the part of `box` in each box that this process owns.
  template <class Visit>
  void for_common(const Box& box, Visit visit) {
    for (const Box& owned : boxes_)
      if (const Box common = box.common(owned); common.cells() > 0) {
        Populations cells(Model::q, common);
        visit(cells);
      }
  }

  const std::unique_ptr<Solver<Model>> own_;
  const std::vector<Box> boxes_;
};

}  // namespace ladder
