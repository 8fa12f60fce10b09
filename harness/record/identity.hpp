#pragma once

#include <string>
#include <utility>

#include "harness/record/provenance.hpp"

/// The identity of the machine that ran a session. Machines whose processors have the same name may still differ.
namespace ladder {

/// Whether the processor is among the devices that a session measured; true if the devices are unknown.
bool measured_processor(const Provenance& session);

/// What a session measured. Results of a GPU belong to the GPU, whatever its host.
struct Measured {
  Measured(MachineFacts on, bool its_processor = true) : machine(std::move(on)), processor(its_processor) {}
  explicit Measured(const Provenance& session) : Measured(session.machine, measured_processor(session)) {}

  MachineFacts machine;
  bool processor;  ///< measured_processor()
};

/// Whether both may be the same machine: all fields that both of them have must be equal, namely the processor's name, identity
/// and caches, its cores, and the GPUs. If one of them did not measure a processor and both have GPUs, only the GPUs matter.
/// Sessions of older versions have no identity.
bool may_be_same_machine(const Measured& a, const Measured& b);

/// The same for processors only: whether both sessions may have run on the same host.
bool may_be_same_processor(const MachineFacts& a, const MachineFacts& b);

/// `AMD EPYC (AuthenticAMD, family 26, model 2, stepping 1; avx2 avx512f), 2 cores, L1 48 KiB, L2 1024 KiB, L3 32768 KiB`,
/// followed by the GPUs.
std::string identity_text(const MachineFacts& machine);

/// A short name derived from the identity, in lower-case letters, digits and dashes: `amd-epyc-f26m2-avx512-2c`.
std::string short_name(const MachineFacts& machine);

}  // namespace ladder
