# Kokkos, a library of parallel loops. Its back ends (Serial, OpenMP, …) were chosen when it was built.
find_package(Kokkos QUIET)
if(NOT Kokkos_FOUND)
  ladder_leave_out_backend(kokkos "CMake finds no Kokkos (Debian package libtrilinos-kokkos-dev)")
  return()
endif()
if(Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL|OPENMPTARGET|OPENACC")
  string(REPLACE ";" ", " devices "${Kokkos_DEVICES}")
  ladder_leave_out_backend(kokkos "${Kokkos_DIR} is built for GPUs (${devices}); a build for processors is needed")
  return()
endif()
if(Kokkos_INCLUDE_DIRS)
  # The Kokkos of Trilinos: its imported target names a folder without headers.
  set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}"
                                                  INTERFACE_LINK_LIBRARIES trilinos_kokkoscore)
endif()
ladder_add_backend(kokkos status.cpp runtime.cpp LINK Kokkos::kokkos)
