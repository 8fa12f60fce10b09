#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/bench/domain.hpp"
#include "harness/bench/rung.hpp"

namespace ladder {

/// A rung on a domain of several boxes in one process: each part has a solver that advances one step at a time, and halos are
/// copied between parts after each step. It shows that a rung works on any box and that its state is correct after both odd and
/// even steps.
template <class Model>
class SplitSolver final : public Solver<Model> {
 public:
  /// Cuts the case into `boxes` boxes along each axis. @throws the exceptions of Domain and Rung::make
  SplitSolver(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning,
              const Triple& boxes)
      : case_(c), domain_(c.grid(), boxes, Model::reach(c)) {
    for (const Domain::Part& part : domain_.parts())
      solvers_.push_back(rung.make(Model::part(c, part.with_halo), number, tuning));
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      // One box at a time: PoCL 3.1 miscounts references to kernels when several queues run at once, and aborts.
      for (const auto& solver : solvers_) {
        solver->advance(1);
        solver->wait();
      }
      exchange();
      if constexpr (Model::records) history_.push_back(observed());
    }
  }

  void store(Populations& out) override {
    for_common(out.box, [&](std::size_t n, const Box& in_part, const Box& in_whole) {
      Populations part(Model::q, in_part);
      solvers_[n]->store(part);
      part.box = in_whole;
      out.take(part);
    });
  }

  /// Halos hold copies, so loading the whole lattice must end with an exchange.
  void load(const Populations& in) override {
    for_common(in.box, [&](std::size_t n, const Box& in_part, const Box& in_whole) {
      Populations part(Model::q, in_whole);
      part.take(in);
      part.box = in_part;
      solvers_[n]->load(part);
    });
    exchange();
  }

  double conserved() override {
    double sum = 0;
    for_each_part([&](const Populations& own) { sum += own.total(); });
    return sum;
  }

  std::span<const double> history() override { return history_; }

 private:
  /// Calls visit(part, box within the part, same box within the whole lattice) for the cells of `box` that each part owns.
  template <class Visit>
  void for_common(const Box& box, Visit visit) {
    for (std::size_t n = 0; n < solvers_.size(); ++n) {
      const Domain::Part& part = domain_.parts()[n];
      const Box common = box.common(part.box);
      const Triple& corner = part.with_halo.origin;
      if (common.cells() > 0) visit(n, common.moved({-corner[0], -corner[1], -corner[2]}), common);
    }
  }

  /// Calls visit(state) with the cells of each part, as boxes of the whole lattice.
  template <class Visit>
  void for_each_part(Visit visit) {
    for_common({{}, case_.grid()}, [&](std::size_t n, const Box& in_part, const Box& in_whole) {
      Populations own(Model::q, in_part);
      solvers_[n]->store(own);
      own.box = in_whole;
      visit(std::as_const(own));
    });
  }

  void exchange() {
    for (std::size_t n = 0; n < solvers_.size(); ++n)
      for (const Domain::Transfer& transfer : domain_.parts()[n].transfers) {
        Populations cells(Model::q, transfer.source);
        solvers_[transfer.from]->store(cells);
        cells.box = transfer.target;
        solvers_[n]->load(cells);
      }
  }

  double observed() {
    double sum = 0;
    for_each_part([&](const Populations& own) { sum += Model::observe(case_, own, fluid_cells_); });
    return sum;
  }

  const typename Model::Case case_;
  const std::int64_t fluid_cells_ = case_.fluid_cells();
  const Domain domain_;
  std::vector<std::unique_ptr<Solver<Model>>> solvers_;
  std::vector<double> history_;
};

}  // namespace ladder
