# Options of the whole build, and the INTERFACE library that applies them: nothing is set globally.

option(LADDER_WERROR "Treat compiler warnings as errors" OFF)
set(LADDER_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
# ThreadSanitizer misses accesses wider than 16 bytes.
set(march native)
if(LADDER_SANITIZE STREQUAL "thread" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(march x86-64)
endif()
set(LADDER_MARCH ${march} CACHE STRING "Instruction set for rungs and ceilings (-march=)")

option(LADDER_QUICK_CUDA "Compile CUDA rungs quickly, without optimization (nvcc 13 or later)" OFF)

# Objects do not contain the path of the checkout (LADDER_PREFIX_MAP below), so different checkouts produce identical objects.
# The processor is part of the cache key, because objects are compiled for it (-march=native).
option(LADDER_CCACHE "Compile with ccache, if it is installed" ON)
find_program(LADDER_CCACHE_PROGRAM ccache)
if(LADDER_CCACHE AND LADDER_CCACHE_PROGRAM)
  set(LADDER_COMPILED_FOR "${PROJECT_BINARY_DIR}/compiled-for.txt")
  set(processor "")
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo processor LIMIT_COUNT 30 REGEX "^(vendor_id|cpu family|model|flags|CPU|Features)")
    list(REMOVE_DUPLICATES processor)
  endif()
  file(WRITE "${LADDER_COMPILED_FOR}" "${processor}")
  foreach(language CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
          "CCACHE_EXTRAFILES=${LADDER_COMPILED_FOR}" "${LADDER_CCACHE_PROGRAM}")
    endif()
  endforeach()
endif()

# ladder_name_cuda_sources(<source>…)
#
# nvcc derives the names of local kernels from the path of their file; this passes a path relative to the checkout.
function(ladder_name_cuda_sources)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\.cu$")
      get_filename_component(path "${source}" ABSOLUTE)
      file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${path}")
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS
                   $<$<COMPILE_LANGUAGE:CUDA>:-Xcudafe=--orig_src_path_name=${name}>)
    endif()
  endforeach()
endfunction()

# Most of the compile time of the program and the tests goes into headers for JSON, text and command lines, so a build from
# scratch is faster if several files are compiled as one. All presets do this. Builds without a preset, such as
# those of scripts/stage, compile each file separately and so find missing includes.
option(LADDER_UNITY "Compile the files of the program and the tests in groups" OFF)

# ladder_compile_in_groups(<target>…)
#
# Compiles the files of these targets in groups if LADDER_UNITY is on. Use this only for code that is not measured: a rung's
# executable must not depend on it.
function(ladder_compile_in_groups)
  foreach(target IN LISTS ARGN)
    _ladder_group(${target} 8)
  endforeach()
endfunction()

# ladder_compile_as_one(<target>)
#
# The same for the kernel of a rung that is not measured and the two small files that are generated for it.
function(ladder_compile_as_one target)
  _ladder_group(${target} 1000)
endfunction()

# CMake's UNITY_BUILD includes files by absolute path, which keeps ccache from sharing objects between checkouts.
function(_ladder_group target size)
  get_target_property(grouped ${target} LADDER_GROUPED)
  if(LADDER_UNITY AND NOT grouped)
    set_target_properties(${target} PROPERTIES LADDER_GROUPED ON)
    # At the end of the folder's CMakeLists.txt, all sources of the target are known.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _ladder_write_groups [[${target}]] ${size})")
  endif()
endfunction()

function(_ladder_write_groups target size)
  get_target_property(sources ${target} SOURCES)
  set(grouped "")
  foreach(source IN LISTS sources)
    get_source_file_property(skipped "${source}" SKIP_UNITY_BUILD_INCLUSION)
    get_source_file_property(language "${source}" LANGUAGE)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(NOT skipped AND NOT options AND (source MATCHES "\\.cpp$" OR language STREQUAL "CXX"))
      list(APPEND grouped "${source}")
    endif()
  endforeach()
  # No longer compiled separately; the rules that generate them still run.
  set_source_files_properties(${grouped} PROPERTIES HEADER_FILE_ONLY ON)
  list(LENGTH grouped count)
  set(number 0)
  set(text "")
  foreach(source IN LISTS grouped)
    get_filename_component(path "${source}" ABSOLUTE)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${path}")
    string(APPEND text "#include \"${path}\"\n")
    math(EXPR number "${number} + 1")
    math(EXPR place "${number} % ${size}")
    if(place EQUAL 0 OR number EQUAL count)
      set(group "${CMAKE_CURRENT_BINARY_DIR}/${target}.group${number}.cpp")
      file(CONFIGURE OUTPUT "${group}" CONTENT "${text}" @ONLY)
      target_sources(${target} PRIVATE "${group}")
      set(text "")
    endif()
  endforeach()
endfunction()

# Clang's precompiled headers contain paths, so ccache could not share their users' objects between checkouts.
set(LADDER_PRECOMPILE OFF)
if(LADDER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(LADDER_PRECOMPILE ON)
endif()

# ladder_precompile(<name> <target> HEADERS <header>… [FLAGS flag…] [INCLUDE folder…] [LINK library…])
#
# Precompiles the headers once for all targets that use this name if LADDER_PRECOMPILE is on. The targets must be executables
# with the same FLAGS, and the same flags from the libraries in LINK; INCLUDE is a folder of the headers. For measured code,
# precompile only headers that do not depend on earlier macros or includes, so that its object files stay the same.
function(ladder_precompile name target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "HEADERS;FLAGS;INCLUDE;LINK")
  if(NOT LADDER_PRECOMPILE)
    return()
  endif()
  set(owner "headers.${name}")
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/headers/main.cpp" CONTENT "int main() {}\n")
    add_executable(${owner} EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/headers/main.cpp")
    set_target_properties(${owner} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/headers")
    target_include_directories(${owner} PRIVATE ${arg_INCLUDE})
    target_compile_options(${owner} PRIVATE ${arg_FLAGS})
    target_link_libraries(${owner} PRIVATE ladder_options ${arg_LINK})
    target_precompile_headers(${owner} PRIVATE ${arg_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  # A target whose libraries add definitions, such as -pthread, may have to read the headers itself.
  target_compile_options(${target} PRIVATE -Wno-error=invalid-pch)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this, ccache does not cache files that use a precompiled header.
    set_target_properties(${owner} ${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

add_library(ladder_options INTERFACE)
target_compile_features(ladder_options INTERFACE cxx_std_20)
target_include_directories(ladder_options INTERFACE "${PROJECT_SOURCE_DIR}")
# Executables do not contain the path of the checkout, so copying or moving it does not invalidate any result. ccache makes
# paths relative.
file(RELATIVE_PATH up "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
set(LADDER_PREFIX_MAP "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=${up}/=")
list(JOIN LADDER_PREFIX_MAP "," maps)
target_compile_options(ladder_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${LADDER_PREFIX_MAP}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${maps}>")
# In a group, a local name may equal a function's name in another file, and GCC takes the files of a group for headers.
set(shadow "$<IF:$<BOOL:$<TARGET_PROPERTY:LADDER_GROUPED>>,$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wno-subobject-linkage>,-Wshadow>")
target_compile_options(ladder_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;${shadow};$<$<BOOL:${LADDER_WERROR}>:-Werror>>"
  # CMake 3.25 does not know that nvcc supports C++20; nvcc's generated code does not pass -Wpedantic.
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-Wall,-Wextra;$<$<BOOL:${LADDER_WERROR}>:-Werror=all-warnings>>")
if(LADDER_SANITIZE)
  string(REPLACE "fuzzer-no-link," "" sanitizers "${LADDER_SANITIZE}")
  target_compile_options(ladder_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers};-fno-omit-frame-pointer;-fno-sanitize-recover=all;-g1>")
  if(LADDER_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Outlined checks compile faster than inlined ones.
    set(is_program $<AND:$<COMPILE_LANGUAGE:CXX>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>)
    target_compile_options(ladder_options INTERFACE "$<${is_program}:SHELL:-mllvm -asan-instrumentation-with-call-threshold=0>")
  endif()
  if(NOT sanitizers STREQUAL LADDER_SANITIZE)
    # Fuzzers follow the branches in the libraries. Instrumenting rungs and tests would only slow down their compilation.
    target_compile_options(ladder_options INTERFACE
      "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-fsanitize=fuzzer-no-link>")
  endif()
  target_compile_definitions(ladder_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(ladder_options INTERFACE -fsanitize=${LADDER_SANITIZE})
endif()

# For code that is not measured. GCC 12 reports false overlapping copies in std::string's operator+ (GCC bug 105651). The
# program and the tests are compiled for short compile times, measured code for speed.
add_library(ladder_program_options INTERFACE)
target_link_libraries(ladder_program_options INTERFACE ladder_options)
set(level -O1)
if(LADDER_SANITIZE)
  set(level -O0)  # saves compile time
endif()
target_compile_options(ladder_program_options INTERFACE ${level} $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Used for tests of the program, which need not run fast.
add_library(ladder_test_options INTERFACE)
target_link_libraries(ladder_test_options INTERFACE ladder_options)
target_compile_options(ladder_test_options INTERFACE -O0 $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
add_library(ladder_harness_options INTERFACE)
target_link_libraries(ladder_harness_options INTERFACE ladder_options)
set(level -O2)
if(LADDER_SANITIZE)
  set(level -O0)
endif()
target_compile_options(ladder_harness_options INTERFACE ${level} $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
