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
