# Loops that the compiler offloads to a GPU according to their directives, using GCC and its compiler for NVIDIA GPUs. Without a
# GPU, they run on one CPU thread.
#
# LADDER_OPENACC is AUTO (the default: build if the C++ compiler is a GCC with offloading), ON (fail otherwise) or OFF.
set(LADDER_OPENACC "AUTO" CACHE STRING "Build the OpenACC rungs: AUTO (if the compiler offloads to NVIDIA's GPUs), ON or OFF")
set_property(CACHE LADDER_OPENACC PROPERTY STRINGS AUTO ON OFF)
if(NOT LADDER_OPENACC MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "LADDER_OPENACC is '${LADDER_OPENACC}'; accepted are AUTO, ON and OFF")
endif()
if(LADDER_OPENACC STREQUAL "OFF")
  ladder_leave_out_backend(openacc "LADDER_OPENACC is OFF")
  return()
endif()
if(LADDER_OPENACC STREQUAL "AUTO" AND LADDER_SANITIZE)
  ladder_leave_out_backend(openacc "sanitizers cannot be offloaded (LADDER_OPENACC=ON builds it nevertheless)")
  return()
endif()
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-O1 -fopenacc -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80 -no-pie")
check_cxx_source_compiles("int main(int n, char**) {\n#pragma acc parallel loop reduction(+ : n)\n  for (int i = 0; i < 9; ++i) n += i;\n  return n; }"
                          LADDER_COMPILER_OFFLOADS)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT LADDER_COMPILER_OFFLOADS)
  set(why_not "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} does not offload to NVIDIA's GPUs (gcc-12-offload-nvptx on Debian 12)")
  if(LADDER_OPENACC STREQUAL "ON")
    message(FATAL_ERROR "LADDER_OPENACC is ON, but ${why_not}")
  endif()
  unset(LADDER_COMPILER_OFFLOADS CACHE)  # it may be installed before the next configuration
  ladder_leave_out_backend(openacc "${why_not}")
  return()
endif()
# Shared with OpenMP target (backends/target), which uses the same runtime library. share.cpp is in another folder because the
# sources in this one belong to every rung of this backend, so changing them outdates results.
add_library(ladder_offload SHARED "${CMAKE_CURRENT_LIST_DIR}/device.cpp" "${CMAKE_CURRENT_LIST_DIR}/driver.cpp"
            "${PROJECT_SOURCE_DIR}/backends/mpi+openacc/share.cpp")
target_link_libraries(ladder_offload PUBLIC ladder_backends gomp PRIVATE ladder_harness_options fmt::fmt ${CMAKE_DL_LIBS})

ladder_add_backend(openacc status.cpp COUNTS_DEVICES LINK ladder_offload)
# Functions called in loops must be inlined as a whole: the GPU lacks the parts that the compiler splits off, just as it lacks
# errno and the tables that the compiler generates for conditions. The kernel table that mkoffload generates is not
# position-independent.
set(offload -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80)
set(offloaded -foffload=nvptx-none -fno-partial-inlining -fno-math-errno -fno-tree-switch-conversion)
target_compile_options(ladder_backend_openacc PUBLIC -fopenacc ${offloaded})
target_link_options(ladder_backend_openacc INTERFACE -fopenacc ${offload} -no-pie)
