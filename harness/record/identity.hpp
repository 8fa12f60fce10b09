#pragma once

#include <string>

#include "harness/record/provenance.hpp"

/// The identity of the machine that a session ran on. Machines whose processors have the same name may differ otherwise.
namespace ladder {

/// Whether both may be the same machine: all fields that both have are equal (the processor's name, identity and caches, its
/// cores, and the GPUs). Sessions of older versions have no identity.
bool may_be_same_machine(const MachineFacts& a, const MachineFacts& b);

/// Whether both have GPUs, and these may be the same. That is enough for hardware counters, which depend on no other part of
/// the machine.
bool may_have_same_gpus(const MachineFacts& a, const MachineFacts& b);

/// `AMD EPYC (AuthenticAMD, family 26, model 2, stepping 1; avx2 avx512f), 2 cores, L1 48 KiB, L2 1024 KiB, L3 32768 KiB`, then
/// the GPUs.
std::string identity_text(const MachineFacts& machine);

/// A short name that shows the identity, in lower-case letters, digits and dashes: `amd-epyc-f26m2-avx512-2c`.
std::string short_name(const MachineFacts& machine);

}  // namespace ladder
