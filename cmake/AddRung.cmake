# ladder_add_model(<name> <source>… LATTICE <lattice> COLLISION <file> CASES <case>… [PRECISIONS <number>…] [FOLDER <folder>]
#                  [RESULTS <header>])
#
# Defines two libraries. ladder_<name> contains the model, built from <source>…, and its command line. It is a shared library,
# so that a rung's executable contains only the rung and the measured part of its backend, and its bytes show whether the
# measured code has changed. ladder_<name>_main contains the other parts of each rung's executable: `main` and, as
# <name>::shared_source, the text of variants/lattice/<lattice>.h and COLLISION, for kernels compiled at run time. The CASES
# should be small: the contract tests check every rung of the model on each of them (and its further builds on the first), and
# sanitizers use the first two, in each of the PRECISIONS (default: f32 f64), the number formats in which rungs store the
# lattice unless they name others. FOLDER is the model's folder in variants/ and its namespace, if that is not its name: models
# that differ only in their lattice share their sources, including those of their rungs. RESULTS is a header in that folder that
# includes model.hpp and specializes ladder::SolveResults (harness/bench/solve_results.hpp) for the model.
function(ladder_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LATTICE;COLLISION;FOLDER;RESULTS" "CASES;PRECISIONS")
  foreach(argument LATTICE COLLISION CASES)
    if(NOT arg_${argument})
      message(FATAL_ERROR "model ${name}: ${argument} is missing")
    endif()
  endforeach()
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  if(NOT arg_RESULTS)
    set(arg_RESULTS model.hpp)
  endif()
  set_property(GLOBAL PROPERTY "LADDER_FOLDER_OF_${name}" "${arg_FOLDER}")
  set_property(GLOBAL PROPERTY "LADDER_CASES_OF_${name}" "${arg_CASES}")
  if(NOT arg_PRECISIONS)
    set(arg_PRECISIONS f32 f64)
  endif()
  set_property(GLOBAL PROPERTY "LADDER_PRECISIONS_OF_${name}" "${arg_PRECISIONS}")
  list(JOIN arg_CASES " " cases)
  set_property(GLOBAL APPEND PROPERTY LADDER_CASES "${name} ${cases}")
  foreach(part CommandLine Main)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/Model${part}.cpp.in" "${CMAKE_CURRENT_BINARY_DIR}/${name}.${part}.cpp" @ONLY)
  endforeach()
  add_library(ladder_${name} SHARED ${arg_UNPARSED_ARGUMENTS} "${CMAKE_CURRENT_BINARY_DIR}/${name}.CommandLine.cpp")
  target_link_libraries(ladder_${name} PUBLIC ladder_options ladder_backends
    PRIVATE ladder_bench ladder_harness_options benchmark::benchmark CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
  if(LADDER_SANITIZE)
    ladder_compile_in_groups(ladder_${name})
  endif()
  add_library(ladder_${name}_main STATIC "${CMAKE_CURRENT_BINARY_DIR}/${name}.Main.cpp")
  target_link_libraries(ladder_${name}_main PUBLIC ladder_${name} PRIVATE ladder_harness_options)
  set(lattice "${PROJECT_SOURCE_DIR}/variants/lattice")
  ladder_embed_text(ladder_${name}_main "${lattice}/function.h;${lattice}/${arg_LATTICE}.h;${arg_COLLISION}" ${arg_FOLDER}::shared_source)
endfunction()

# ladder_add_rung(<id> [MODEL name] [FLAGS flag…] [BUILDS tag…] [PRECISIONS number…] [LINK library…])
#
# Builds the executable of the rung in variants/<id> (its model's FOLDER in place of the model) from the folder's *.cpp and *.cu.
# The first part of the id is the model; the second is the backend, or a combination of backends, e.g.
# d2q9/mpi+opencl/01_offload. If the build lacks a backend, it also lacks the rung. The kernel file (kernel.cl, kernel.cu, else
# kernel.cpp) is embedded with its five header lines.
#   MODEL   the model, if it is not the first part of the id.
#   FLAGS   optimization flags for this rung's kernels; default: the backend's.
#   BUILDS  the flags axis: further builds of the same sources, each specified by a tag `<compiler><flags>` such as `gcc-O2`,
#           `clang-Ofast-native` (`-native` stands for -march=${LADDER_MARCH}, `-v3` for -march=x86-64-v3: AVX2, no AVX-512).
#           Builds with `-v3` are left out if the processor is not x86-64.
#   PRECISIONS  the number formats that the rung stores, as in its make_solver, if not the model's, e.g. f32 f64 f16.
function(ladder_add_rung id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL" "FLAGS;BUILDS;PRECISIONS;LINK")
  if(NOT id MATCHES "^([^/]+)/([^/]+)/[^/]+$")
    message(FATAL_ERROR "rung '${id}': accepted is model/backend/NN_name")
  endif()
  set(backends "${CMAKE_MATCH_2}")
  if(NOT DEFINED arg_MODEL)
    set(arg_MODEL "${CMAKE_MATCH_1}")
  endif()
  ladder_describe_backends(backend "${backends}")
  if(backend_WHY_NOT)
    return()
  endif()
  if(NOT arg_PRECISIONS)
    get_property(arg_PRECISIONS GLOBAL PROPERTY "LADDER_PRECISIONS_OF_${arg_MODEL}")
  endif()
  set_property(GLOBAL PROPERTY "LADDER_PRECISIONS_OF_${id}" "${arg_PRECISIONS}")
  ladder_add_probe("${backends}")
  if(NOT DEFINED arg_FLAGS)
    set(arg_FLAGS ${backend_FLAGS})
  endif()
  if(LADDER_QUICK_CUDA AND backend_LANGUAGE STREQUAL "CUDA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
    list(TRANSFORM arg_FLAGS REPLACE "^-O3$" "--Ofast-compile=max")
  endif()
  _ladder_rung_target(${id} ${arg_MODEL} ${backends} default "${arg_FLAGS}" "" "${arg_LINK}")
  foreach(tag IN LISTS arg_BUILDS)
    if(NOT backend_LANGUAGE STREQUAL "CXX" OR NOT tag MATCHES "^(gcc|clang)(-.*)$")
      message(FATAL_ERROR "${id}: build '${tag}' is not <gcc|clang>-<flags> of a rung in C++")
    endif()
    set(compiler "${CMAKE_MATCH_1}")
    string(REPLACE "-native" ";-march=${LADDER_MARCH}" flags "${CMAKE_MATCH_2}")
    if(flags MATCHES "-v3$" AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      continue()
    endif()
    string(REPLACE "-v3" ";-march=x86-64-v3" flags "${flags}")
    _ladder_rung_target(${id} ${arg_MODEL} ${backends} ${tag} "${flags}" ${compiler} "${arg_LINK}")
  endforeach()
endfunction()

# Sets <variable> to the folder of a rung's sources.
function(ladder_folder_of variable id model)
  get_property(folder GLOBAL PROPERTY "LADDER_FOLDER_OF_${model}")
  string(REGEX REPLACE "^${model}/" "${folder}/" id "${id}")
  set(${variable} "${PROJECT_SOURCE_DIR}/variants/${id}" PARENT_SCOPE)
endfunction()

# Builds one executable: <id> with <flags>, compiled by <compiler>: either clang or the build's own compiler for the backend's
# language.
function(_ladder_rung_target id model backends build flags compiler link)
  ladder_folder_of(folder ${id} ${model})
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.cu")
  if(NOT sources)
    message(FATAL_ERROR "rung ${id}: no *.cpp or *.cu in ${folder}")
  endif()
  string(REPLACE "/" "." target "${id}")
  if(NOT build STREQUAL "default")
    string(APPEND target ".${build}")
  endif()

  add_executable(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/rungs/${id}"
                                             OUTPUT_NAME "${build}")
  if(compiler STREQUAL "clang")
    _ladder_clang_objects(${target} "${sources}" "${flags}")
    set(compiler_name "Clang ${LADDER_CLANG_VERSION}")
  else()
    target_sources(${target} PRIVATE ${sources})
  endif()
  set(kernel "kernel.cpp")
  foreach(language cl cu)
    if(EXISTS "${folder}/kernel.${language}")
      set(kernel "kernel.${language}")
    endif()
  endforeach()
  ladder_name_cuda_sources(${sources})
  _ladder_finish_rung(${target} ${id} ${model} ${backends} ${build} "${flags}" "${compiler_name}" "${folder}/${kernel}")
  target_link_libraries(${target} PRIVATE ${link})
  if(NOT compiler STREQUAL "clang" AND flags MATCHES "^-O(fast|3);-march=[^;]*$" AND NOT backends MATCHES "target|openacc|cuda|algorithms|kokkos")
    # Saves compile time; the executable is the same without precompiled headers. Parallel algorithms are left out, because a
    # header precompiled before oneTBB was installed would make them serial, and Kokkos, because its flags depend on how it was
    # built.
    string(MAKE_C_IDENTIFIER "rungs${flags}" name)
    set(library "")
    set(headers <algorithm> <array> <cmath> <functional> <map> <memory> <span> <string> <utility> <vector>)
    if(backends MATCHES "openmp")
      string(APPEND name _openmp)
      set(library ladder_backend_openmp)
    endif()
    if(backends MATCHES "opencl")
      string(APPEND name _opencl)
      # Configures and includes OpenCL's C++ bindings.
      list(APPEND headers <backends/opencl/check.hpp>)
      list(APPEND library ladder_backend_opencl)
    elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      list(APPEND headers <immintrin.h>)
    endif()
    ladder_precompile(${name} ${target} FLAGS ${flags} LINK ${library} HEADERS ${headers})
  endif()

  # The description is written at build time, so that listing rungs does not start any process.
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "$<TARGET_FILE:${target}>" describe > "$<TARGET_FILE:${target}>.json" VERBATIM)
  string(REPLACE "${PROJECT_SOURCE_DIR}/" "" folder "${folder}")
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_MANIFEST "rung rungs/${id}/${build} ${target} ${folder}/${kernel}\n")
  set_property(GLOBAL PROPERTY "LADDER_MODEL_OF_${id}" "${model}")
endfunction()

# Adds libraries, flags, the kernel file's header (and its text, if it is compiled at run time) and the description to an
# executable of the model that already has its sources. An empty <compiler_name> stands for the build's own compiler.
function(_ladder_finish_rung target id model backend build flags compiler_name kernel)
  ladder_describe_backends(backend "${backend}")
  if(LADDER_SANITIZE)
    list(APPEND flags -O0)  # saves compile time, and keeps accesses that the optimizer would remove
    ladder_compile_as_one(${target})
  endif()
  target_link_libraries(${target} PRIVATE ladder_${model}_main ${backend_LATTICES} ${backend_LIBRARIES})
  if(NOT compiler_name)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${backend_LANGUAGE}>:${flags}>")
    set(compiler_name "${CMAKE_${backend_LANGUAGE}_COMPILER_ID} ${CMAKE_${backend_LANGUAGE}_COMPILER_VERSION}")
  endif()
  target_link_options(${target} PRIVATE ${backend_LINK_FLAGS})
  if(backend_LANGUAGE STREQUAL "CXX")
    # Some flags act at link time: -Ofast adds startup code that flushes denormal numbers to zero.
    target_link_options(${target} PRIVATE ${flags})
  endif()
  # The build id would change whenever the header changes.
  target_link_options(${target} PRIVATE LINKER:--build-id=none)
  ladder_embed_header(${target} "${kernel}")
  set(kernel_text "{}")
  if(kernel MATCHES "\\.cl$")
    set(kernel_text kernel_text)
    ladder_embed_text(${target} "${kernel}" ladder::kernel_text)
  endif()
  list(JOIN flags " " flags_text)
  set(info "${CMAKE_CURRENT_BINARY_DIR}/${target}.info.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/RungInfo.cpp.in" "${info}" @ONLY)
  target_sources(${target} PRIVATE "${info}")
endfunction()

# Compiles <sources> with Clang, even if the rest of the build uses another compiler, and links the objects into <target>.
function(_ladder_clang_objects target sources flags)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${LADDER_CLANG}" -std=c++20 "-I${PROJECT_SOURCE_DIR}" ${LADDER_PREFIX_MAP} ${flags} -MMD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
endfunction()

# Writes bin/manifest.txt, which lists the executables that the `ladder` program knows, built or not, one per line
# (docs/architecture.md, "The manifest"), bin/cases.txt, which lists each model's name and the cases on which its rungs are
# checked, and the formats of contenders for harness/study/formats.cpp.
function(ladder_write_manifest)
  get_property(text GLOBAL PROPERTY LADDER_MANIFEST)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bin/manifest.txt" CONTENT "${text}")
  get_property(lines GLOBAL PROPERTY LADDER_CASES)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bin/cases.txt" CONTENT "${text}\n")
  get_property(text GLOBAL PROPERTY LADDER_FORMATS)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/harness/study/formats.inc" CONTENT "${text}")
endfunction()
