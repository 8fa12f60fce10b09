# NVIDIA's NCCL, which is not a backend itself: rungs and ceilings of mpi+cuda link it (NCCL::NCCL) and are left out without it.
# It is looked for in CMake's usual places and next to the CUDA runtime.
if(NOT TARGET ladder_backend_cuda)
  return()
endif()
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(NCCL_LIBRARY nccl HINTS "${CUDAToolkit_LIBRARY_DIR}")
if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  ladder_leave_out_backend(nccl "CMake finds no nccl.h or no libnccl; name them with -DNCCL_INCLUDE_DIR=… and -DNCCL_LIBRARY=…")
  return()
endif()
message(STATUS "NCCL: ${NCCL_LIBRARY}")
add_library(NCCL::NCCL UNKNOWN IMPORTED)
set_target_properties(NCCL::NCCL PROPERTIES IMPORTED_LOCATION "${NCCL_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${NCCL_INCLUDE_DIR}")
