# Checks which builds of Kokkos the configuration accepts. Called with -D BACKEND=…/backends/kokkos/backend.cmake -D FOLDER=<for temporary files>.
cmake_minimum_required(VERSION 3.25)

function(ladder_add_backend name)
  set_property(GLOBAL PROPERTY CHOICE "added")
endfunction()

function(ladder_leave_out_backend name reason)
  set_property(GLOBAL PROPERTY CHOICE "${reason}")
endfunction()

function(expect_choice what expected)
  include("${BACKEND}")
  get_property(choice GLOBAL PROPERTY CHOICE)
  if(NOT choice STREQUAL expected)
    message(FATAL_ERROR "${what}: '${choice}'; expected '${expected}'")
  endif()
endfunction()

# Expects a choice for a Kokkos that was built with these back ends.
function(expect_choice_with devices expected)
  file(WRITE "${FOLDER}/KokkosConfig.cmake" "set(Kokkos_DEVICES \"${devices}\")\n")
  set(Kokkos_DIR "${FOLDER}" CACHE PATH "" FORCE)
  expect_choice("${devices}" "${expected}")
endfunction()

set(CMAKE_DISABLE_FIND_PACKAGE_Kokkos ON)
expect_choice("no Kokkos" "CMake finds no Kokkos (Debian package libtrilinos-kokkos-dev)")
set(CMAKE_DISABLE_FIND_PACKAGE_Kokkos OFF)
expect_choice_with("SERIAL" "added")
expect_choice_with("OPENMP;SERIAL" "added")
expect_choice_with("CUDA;SERIAL" "${FOLDER} is built for GPUs (CUDA, SERIAL); a build for processors is needed")
