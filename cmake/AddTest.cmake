include(GoogleTest)

# ladder_add_test(<name> <source>… [LINK library…] [DEFINE definition…] [PROGRAM_ONLY])
#
# Builds a GoogleTest program from <source>… in the build tree's tests/ folder; its tests appear in ctest as
# `<name>.<suite>.<test>`. The sources may include files relative to the project's root.
#   LINK          libraries under test
#   DEFINE        definitions for the sources, e.g. RUNGS="…"
#   PROGRAM_ONLY  leaves the calls to add_test to the caller
#
# Tests that link the program, the reports or the runner are compiled without optimization, which saves compile time. Other tests also
# run code from headers, so they use the program's flags.
function(ladder_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM_ONLY" "" "LINK;DEFINE")
  set(target "test.${name}")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  set(options ladder_program_options)
  if(arg_LINK MATCHES "ladder_(program|reports|run)")
    set(options ladder_test_options)
    list(APPEND arg_LINK fmt::fmt)  # its definitions affect the precompiled headers
    ladder_precompile(tests ${target} LINK GTest::gtest_main ${options} fmt::fmt
      HEADERS <gtest/gtest.h> <nlohmann/json.hpp> <fmt/format.h> <fmt/ranges.h> <algorithm> <chrono> <cmath> <filesystem> <fstream>
              <map> <optional> <set> <sstream> <string> <vector>)
  endif()
  # GoogleTest comes first, because models contain a rung's `main`, which tests must not use.
  target_link_libraries(${target} PRIVATE GTest::gtest_main ${options} ${arg_LINK})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINE})
  ladder_compile_in_groups(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(NOT arg_PROGRAM_ONLY)
    gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()

# ladder_add_preload(<target> <source>…)
#
# Builds a library for LD_PRELOAD in the build tree's tests/ folder; not with sanitizers, which must be loaded before any other library.
function(ladder_add_preload target)
  if(NOT LADDER_SANITIZE)
    add_library(${target} MODULE ${ARGN})
    target_link_libraries(${target} PRIVATE ladder_program_options ${CMAKE_DL_LIBS})
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  endif()
endfunction()
