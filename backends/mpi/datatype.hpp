#pragma once

#include "backends/mpi/check.hpp"

namespace ladder::mpi {

/// Owns an MPI datatype for non-contiguous memory.
class Datatype {
 public:
  explicit Datatype(MPI_Datatype type) : type_(type) { LADDER_MPI(MPI_Type_commit(&type_)); }
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;
  ~Datatype() { MPI_Type_free(&type_); }

  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Datatype type_;
};

}  // namespace ladder::mpi
