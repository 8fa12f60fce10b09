#pragma once

#include "base/column.hpp"
#include "harness/record/field.hpp"
#include "harness/record/rows.hpp"

/// Defines every column of stored rows, in order. Add new columns at the end.
namespace ladder {

template <Is<Row> R, class Visit>
void for_each_column(R& row, Visit&& visit) {
  using column::Count, column::Quantity, column::Text, column::Zero, column::Source, column::from;
  // Conditions added later come last, to keep the order of columns.
  const auto conditions = [&](bool added) {
    bool is_added = false;
    for_each_condition(row, [&](const auto& column, auto& member) {
      if (is_added == added) visit(from(Source::sample, column), member);
      is_added = is_added || column.name == "gpu_throttle";
    });
  };
  visit(Text{"session", "", "id of the session; its provenance, next to the CSV, is `<machine>.<session>.json`"}, row.session);
  visit(Count{"round", "", "round of the session, from 1; 0 for checks", Zero::counts}, row.round);
  visit(Count{"order", "", "position within the round", Zero::counts}, row.order);
  visit(Text{"utc", "ISO 8601", "time at which the row was created"}, row.utc);
  visit(Text{"kind",
             "",
             "`check`, `sample`, `ceiling`; `twin`: a second sample of a cell in the same round",
             {"check", "sample", "twin", "ceiling"}},
        row.kind);
  visit(Text{"rung", "", "rung id; `ceiling/<backend>/<name>` for ceilings, `contender/<name>` for contenders"}, row.rung);
  visit(
      Text{"build", "",
           "build variant: `default`, a tag of the flags axis such as `gcc-O2`, or `commit-` and 12 digits of a commit's hash"},
      row.build);
  visit(Text{"backend", "", "e.g. `serial`, `openmp`, `opencl`, `cuda`; `foreign` for contenders"}, row.backend);
  visit(Text{"case", "", "name of the case; for a ceiling, `ws-` and the size of its working set in bytes"}, row.case_name);
  visit(Text{"grid", "`128x128`", "dimensions of the lattice"}, row.grid);
  visit(from(Source::sample, Count{"cells", "sites", "number of lattice cells; for a ceiling, of elements"}), row.cells);
  visit(Text{"precision", "`f32`", "number format used for storage"}, row.precision);
  visit(Text{"tuning", "`wx=32;wy=8`", "values of the tunables; empty if there are none"}, row.tuning);
  visit(Count{"threads", "", "OpenMP threads per process; 1 for serial code, 0 if the device decides", Zero::counts},
        row.threads);
  visit(from(Source::check, Text{"outcome",
                                 "",
                                 "`ok`, `wrong`, `skipped`, `failed`, `crashed`, `timeout`",
                                 {"ok", "wrong", "skipped", "failed", "crashed", "timeout"}}),
        row.outcome);
  visit(from(Source::check, Text{"reason", "", "human-readable explanation if the outcome is not `ok`"}), row.reason);
  visit(from(Source::check, Count{"check_steps", "steps", "largest step count compared"}), row.check_steps);
  visit(
      from(Source::check, Quantity{"population_error", "", "largest absolute error divided by the largest population", false}),
      row.population_error);
  visit(from(Source::check, Quantity{"tolerance", "", "accepted `population_error`", false}), row.tolerance);
  visit(from(Source::check, Quantity{"history_error", "", "largest relative error of the observable in any step", false}),
        row.history_error);
  visit(from(Source::sample, Count{"steps", "steps", "number of steps in the sample"}), row.steps);
  visit(from(Source::check, Quantity{"seconds", "s", "wall time of the sample; for contenders, see `time_source`"}),
        row.seconds);
  visit(Quantity{"updates_per_second", "1/s", "cells · steps / seconds; for a ceiling, elements per second"},
        row.updates_per_second);
  visit(from(Source::ceiling, Quantity{"bytes_per_update_model", "B", "declared traffic of the rung, reads plus writes"}),
        row.bytes_per_update_model);
  visit(Quantity{"bytes_per_update_minimum", "B", "traffic if every population is read once and written once"},
        row.bytes_per_update_minimum);
  visit(from(Source::ceiling, Quantity{"flops_per_update", "", "counted operations (`docs/measuring.md`)"}),
        row.flops_per_update);
  visit(from(Source::sample, Quantity{"footprint_bytes", "B", "size of the arrays that a step accesses"}), row.footprint_bytes);
  visit(Text{"device", "", "device that was used"}, row.device);
  visit(Text{"key", "",
             "hash of executable, case, precision, tuning, placement, threads, device, driver, and the settings for checking "
             "and sampling"},
        row.key);
  conditions(false);
  visit(from(Source::sample,
             Text{"suspicious", "`load;steal`", "reasons to doubt the sample (`docs/measuring.md`); empty if there are none"}),
        row.suspicious);
  visit(Count{"q", "", "populations per cell"}, row.q);
  visit(Count{"reach", "cells", "largest distance that a population travels in one step"}, row.reach);
  visit(Count{"fluid_cells", "sites", "cells that are not solid"}, row.fluid_cells);
  visit(Count{"nx", "cells", "size of the lattice along x"}, row.nx);
  visit(Count{"ny", "cells", "size of the lattice along y"}, row.ny);
  visit(Count{"nz", "cells", "size of the lattice along z; 1 in two dimensions"}, row.nz);
  visit(Text{"placement", "`processes=4;threads=2`",
             "nodes, processes, threads and devices; empty: one process with the backend's default number of threads"},
        row.placement);
  visit(from(Source::sample, Text{"bytes_per_update_levels", "`dram=36+36`",
                                  "declared bytes read and written at each memory level, separated by `;`; the first level is "
                                  "the one of `bytes_per_update_model`; empty: `dram`"}),
        row.bytes_per_update_levels);
  visit(Text{"reason_code", "",
             "machine-readable reason: `no-device`, `no-memory`, `too-large`, `device-limit`, `constraint`, `no-such-case`; "
             "empty: any other"},
        row.reason_code);
  visit(from(Source::sample,
             Text{"phases", "`stream=0.00125;collide=0.0031`",
                  "seconds per phase of a step, each measured separately before the sample; empty: the rung has no phases"}),
        row.phases);
  visit(from(Source::sample, Quantity{"joules", "J", "energy consumed by `energy_domain` during the sample"}), row.joules);
  visit(from(Source::sample,
             Text{"energy_domain", "`package`",
                  "scope of `joules`: `gpu` is the whole card; `package` is all processor packages, without DRAM"}),
        row.energy_domain);
  visit(from(Source::any, Text{"time_source",
                               "",
                               "source of a contender's `seconds`: the time that the `program` prints, the time derived "
                               "from the `rate` that it prints, or the `wall` time of its process; empty: measured by the "
                               "harness",
                               {"", "program", "rate", "wall"}}),
        row.time_source);
  visit(from(Source::any, Quantity{"wall_seconds", "s", "wall time of a contender's process, including startup and files"}),
        row.wall_seconds);
  visit(from(Source::any, Quantity{"cpu_seconds", "s", "processor time of all processes and threads of a contender"}),
        row.cpu_seconds);
  visit(Text{"validation",
             "",
             "how a contender is checked: its result `files` are compared with the reference, or `none`; empty: like a rung",
             {"", "files", "none"}},
        row.validation);
  visit(
      from(
          Source::check,
          Quantity{
              "relative_error", "",
              "in a contender's check, the largest relative difference of any value, as the format's own criterion computes it",
              false}),
      row.relative_error);
  visit(column::Unstored{"relative_tolerance", Source::check}, row.relative_tolerance);
  visit(from(Source::sample, Quantity{"queue_seconds", "s",
                                      "time that the host needs to queue a step (`advance` without `wait`), measured before "
                                      "the sample; empty: no NVIDIA GPU"}),
        row.queue_seconds);
  visit(from(Source::any, Quantity{"total_seconds", "s",
                                   "initialization, computation and collation, as a contender prints them, or the wall time "
                                   "if that replaces its `seconds`; empty: it does not print all three"}),
        row.total_seconds);
  visit(from(Source::any, Count{"processes", "",
                                "number of processes that took part, by their own count; empty: a contender, or a backend "
                                "that cannot run in several processes"}),
        row.processes);
  visit(from(Source::any, Count{"nodes", "", "number of nodes on which these processes ran"}), row.nodes);
  conditions(true);
}

}  // namespace ladder
