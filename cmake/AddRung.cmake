# ladder_add_model(<name> <source>… MAIN <source> CASES <case>… [EMBED <file>…])
#
# Makes two libraries. ladder_<name>: the model and its command line, from <source>…. It is shared, so that a rung's executable
# holds the rung and its backend alone: the executable's bytes tell whether what was measured has changed.
# ladder_<name>_main: what each executable of a rung needs beside, its `main` in MAIN, and the texts of the files <file>… as
# <name>::shared_source, the collision for kernels that are compiled at run time. The contract tests check every rung of the model
# on each of the CASES, its further builds on the first, sanitizers on the first two: small ones.
function(ladder_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAIN" "CASES;EMBED")
  if(NOT arg_CASES)
    message(FATAL_ERROR "model ${name}: no CASES to check its rungs on")
  endif()
  set_property(GLOBAL PROPERTY "LADDER_CASES_OF_${name}" "${arg_CASES}")
  list(JOIN arg_CASES " " cases)
  set_property(GLOBAL APPEND PROPERTY LADDER_CASES "${name} ${cases}")
  add_library(ladder_${name} SHARED ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(ladder_${name} PUBLIC ladder_options ladder_processor
    PRIVATE ladder_harness ladder_harness_options benchmark::benchmark CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
  add_library(ladder_${name}_main STATIC ${arg_MAIN})
  target_link_libraries(ladder_${name}_main PUBLIC ladder_${name} PRIVATE ladder_harness_options)
  if(DEFINED arg_EMBED)
    ladder_embed_text(ladder_${name}_main "${arg_EMBED}" ${name}::shared_source)
  endif()
endfunction()

# ladder_add_rung(<id> [MODEL name] [FLAGS flag…] [BUILDS tag…] [LINK library…])
#
# Makes the executable of the rung whose folder is variants/<id>, from the folder's *.cpp and *.cu; the model is the first part
# of the id and the backend the second. Its kernel file (kernel.cl, kernel.cu, else kernel.cpp) is embedded with its five header
# lines.
#   MODEL   the model, where it is not the first part of the id.
#   FLAGS   optimization flags, default: -O3 -march=${LADDER_MARCH}; of the backend cuda, for nvcc: -O3 --use_fast_math. They
#           belong to this rung alone.
#   BUILDS  the flags axis: further builds of the same sources, each a tag `<compiler><flags>` such as `gcc-O2`,
#           `clang-Ofast-native` (`-native` stands for -march=${LADDER_MARCH}).
function(ladder_add_rung id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL" "FLAGS;BUILDS;LINK")
  if(NOT DEFINED arg_MODEL)
    string(REGEX REPLACE "/.*" "" arg_MODEL "${id}")
  endif()
  if(id MATCHES "^[^/]*/cuda/")
    if(NOT DEFINED arg_FLAGS)
      set(arg_FLAGS -O3 --use_fast_math)
    endif()
    _ladder_rung_target(${id} ${arg_MODEL} default "${arg_FLAGS}" cuda "${arg_LINK}")
    return()
  endif()
  if(NOT DEFINED arg_FLAGS)
    set(arg_FLAGS -O3 -march=${LADDER_MARCH})
  endif()
  _ladder_rung_target(${id} ${arg_MODEL} default "${arg_FLAGS}" "${CMAKE_CXX_COMPILER_ID}" "${arg_LINK}")
  foreach(tag IN LISTS arg_BUILDS)
    string(REGEX MATCH "^(gcc|clang)(-.*)$" ok "${tag}")
    if(NOT ok)
      message(FATAL_ERROR "${id}: build '${tag}' is not <gcc|clang>-<flags>")
    endif()
    set(compiler "${CMAKE_MATCH_1}")
    string(REPLACE "-native" ";-march=${LADDER_MARCH}" flags "${CMAKE_MATCH_2}")
    _ladder_rung_target(${id} ${arg_MODEL} ${tag} "${flags}" ${compiler} "${arg_LINK}")
  endforeach()
endfunction()

# One executable: <id> as built by <compiler> with <flags>.
function(_ladder_rung_target id model build flags compiler link)
  string(REPLACE "/" ";" parts "${id}")
  list(GET parts 1 backend)
  set(folder "${PROJECT_SOURCE_DIR}/variants/${id}")
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
  target_link_libraries(${target} PRIVATE ladder_${model}_main ladder_backend_${backend} ${link})
  if(TARGET lattice_${backend})  # states in the memory of the backend's devices
    target_link_libraries(${target} PRIVATE lattice_${backend})
  endif()
  if(compiler STREQUAL "cuda")
    # nvcc names temporary files in the symbol table, which would make each build another executable.
    target_link_options(${target} PRIVATE -s)
  else()
    # Some flags act at link time: -Ofast adds start-up code that flushes denormal numbers to zero.
    target_link_options(${target} PRIVATE ${flags})
  endif()
  if(compiler STREQUAL "cuda")
    target_sources(${target} PRIVATE ${sources})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${flags}>")
    set(compiler_name "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
  elseif(compiler STREQUAL "clang")
    _ladder_clang_objects(${target} "${sources}" "${flags}")
    set(compiler_name "Clang ${LADDER_CLANG_VERSION}")
  else()
    target_sources(${target} PRIVATE ${sources})
    target_compile_options(${target} PRIVATE ${flags})
    set(compiler_name "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  endif()

  set(kernel "${folder}/kernel.cpp")
  foreach(language cl cu)
    if(EXISTS "${folder}/kernel.${language}")
      set(kernel "${folder}/kernel.${language}")
    endif()
  endforeach()
  ladder_embed_text(${target} "${kernel}" ladder::kernel_text)
  string(REPLACE ";" " " flags_text "${flags}")
  set(info "${CMAKE_CURRENT_BINARY_DIR}/${target}.info.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/RungInfo.cpp.in" "${info}" @ONLY)
  target_sources(${target} PRIVATE "${info}")

  # The description is made once, at build time, so that listing rungs starts no process.
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "$<TARGET_FILE:${target}>" describe > "$<TARGET_FILE:${target}>.json" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY LADDER_MANIFEST "rung rungs/${id}/${build}")
  set_property(GLOBAL PROPERTY "LADDER_MODEL_OF_${id}" "${model}")
endfunction()

# Compiles <sources> with Clang, whatever compiler the rest of the build uses, and links the objects into <target>.
function(_ladder_clang_objects target sources flags)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${LADDER_CLANG}" -std=c++20 "-I${PROJECT_SOURCE_DIR}" ${flags} -MMD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
endfunction()

# bin/manifest.txt: the executables that the `ladder` program knows, one `kind path` a line; bin/cases.txt: for each model, its
# name and the cases that its rungs are checked on.
function(ladder_write_manifest)
  get_property(lines GLOBAL PROPERTY LADDER_MANIFEST)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bin/manifest.txt" CONTENT "${text}\n")
  get_property(lines GLOBAL PROPERTY LADDER_CASES)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bin/cases.txt" CONTENT "${text}\n")
endfunction()
