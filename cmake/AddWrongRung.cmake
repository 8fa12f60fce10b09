# ladder_precompile_rung(<target>)
#
# Compiles a wrong rung that is plain C++, with -O2, as one file that shares the precompiled headers of wrong rungs
# (ladder_precompile).
function(ladder_precompile_rung target)
  ladder_compile_as_one(${target})
  ladder_precompile(mutants ${target} FLAGS -O2
    HEADERS <algorithm> <array> <cmath> <functional> <map> <memory> <span> <string> <utility> <vector>)
endfunction()

# ladder_add_wrong_rung(<group> <model> <name> <backend> [FLAGS flag…])
#
# Builds an executable from <name>.cpp that is linked like a rung of the model, with the same main, but is placed in the build
# tree's tests/<group> folder and listed in no manifest. Its target is <group>.<name> and its id <group>/<name>.
function(ladder_add_wrong_rung group model name backend)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "" "FLAGS")
  set(target "${group}.${name}")
  add_executable(${target} ${name}.cpp)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${group}" OUTPUT_NAME "${name}")
  _ladder_finish_rung(${target} ${group}/${name} ${model} ${backend} default "${arg_FLAGS}" "" ${name}.cpp)
  if(arg_FLAGS STREQUAL "-O2" AND NOT backend MATCHES "openmp")
    ladder_precompile_rung(${target})
  endif()
endfunction()

# ladder_replace_in_header(<kernel's text> <folder> <right> <wrong>): copies the first header included by the kernel that contains
# <right>, with <right> replaced. A second call for the same header would undo the first.
function(ladder_replace_in_header kernel folder right wrong)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${kernel}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" header "${include}")
    set(copy "${folder}/${header}")
    file(READ "${PROJECT_SOURCE_DIR}/${header}" text)
    string(REPLACE "${right}" "${wrong}" changed "${text}")
    if(NOT changed STREQUAL text)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${header}")
      file(CONFIGURE OUTPUT "${copy}" CONTENT "${changed}" @ONLY)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "neither a kernel nor its headers contain '${right}'")
endfunction()
