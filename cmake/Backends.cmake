# Each backend is a folder in backends/ with a backend.cmake, which looks for the backend's requirements and calls either
# ladder_add_backend or ladder_leave_out_backend. No other part of the build mentions a backend by name.

# ladder_add_backend(<name> <source>… [MEASURED source…] [LANGUAGE language] [FLAGS flag…] [LINK library…] [LINK_FLAGS flag…]
#                    [LAUNCHER word…] [COUNTS_DEVICES])
#
# Builds the library ladder_backend_<name> from <source>… in the backend's folder; they define `ladder::<name>::status()`
# (backends/status.hpp). The library is shared, so changing it does not invalidate any result.
#   MEASURED    sources in the folder that run inside timed regions, such as launches. Each rung's executable contains the part
#               that it uses: ladder_backend_<name> is then a static library of these sources, which links the shared one.
#   LANGUAGE    the language in which its kernels are compiled; default: CXX.
#   FLAGS       optimization flags for its kernels, for rungs that set none; default: -O3 -march=${LADDER_MARCH}.
#   LINK        libraries that the backend and its rungs need.
#   LINK_FLAGS  flags for linking its executables.
#   LAUNCHER    command that starts a program as several processes, for tests; the process count is appended.
#   COUNTS_DEVICES  the sources define `int ladder::<name>::device_count()`, the number of devices that the processes or parts
#               of a combination share.
function(ladder_add_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COUNTS_DEVICES" "LANGUAGE" "MEASURED;FLAGS;LINK;LINK_FLAGS;LAUNCHER")
  if(NOT DEFINED arg_LANGUAGE)
    set(arg_LANGUAGE CXX)
  endif()
  if(NOT DEFINED arg_FLAGS)
    set(arg_FLAGS -O3 -march=${LADDER_MARCH})
  endif()
  set(target ladder_backend_${name})
  set(shared ${target})
  if(arg_MEASURED)
    set(shared ${target}_shared)
    list(TRANSFORM arg_MEASURED PREPEND "${PROJECT_SOURCE_DIR}/backends/${name}/")
    add_library(${target} STATIC ${arg_MEASURED})
    target_link_libraries(${target} PUBLIC ${shared} PRIVATE ladder_harness_options)
  endif()
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${PROJECT_SOURCE_DIR}/backends/${name}/")
  add_library(${shared} SHARED ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${shared} PUBLIC ladder_backends ${arg_LINK} PRIVATE ladder_harness_options)
  set_target_properties(${target} PROPERTIES LADDER_LANGUAGE "${arg_LANGUAGE}" LADDER_FLAGS "${arg_FLAGS}"
                                             LADDER_LINK_FLAGS "${arg_LINK_FLAGS}" LADDER_LAUNCHER "${arg_LAUNCHER}"
                                             LADDER_COUNTS_DEVICES ${arg_COUNTS_DEVICES})
  set_property(GLOBAL APPEND PROPERTY LADDER_BACKENDS ${name})
endfunction()

# ladder_leave_out_backend(<name> <reason>)
#
# Leaves the backend, its rungs and its ceilings out of the build; `ladder` shows the reason.
function(ladder_leave_out_backend name reason)
  set_property(GLOBAL APPEND PROPERTY LADDER_LEFT_OUT_BACKENDS ${name})
  set_property(GLOBAL PROPERTY LADDER_WHY_NO_${name} "${reason}")
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_MANIFEST "left-out ${name} ${reason}\n")
  message(STATUS "Backend ${name}: left out, ${reason}")
endfunction()

# ladder_describe_backends(<prefix> <backends>)
#
# Describes one backend, or a combination of backends, e.g. mpi+opencl. Sets
#   <prefix>_WHY_NOT     why one of them is left out; otherwise empty. If it is not empty, the others are not set
#   <prefix>_LIBRARIES   the libraries of all parts
#   <prefix>_LATTICES    libraries for lattices in their devices' memory (variants/lattice/<backend>)
#   <prefix>_LANGUAGE    the language of the kernels: that of the part that does not use C++, if there is one
#   <prefix>_FLAGS       default flags of the kernels: those of the parts with that language
#   <prefix>_LINK_FLAGS  the link flags of all parts
#   <prefix>_LAUNCHER    the launcher of the part that has one
#   <prefix>_STATUS      C++ code that defines ladder::backend_status()
function(ladder_describe_backends prefix backends)
  get_property(built GLOBAL PROPERTY LADDER_BACKENDS)
  get_property(left_out GLOBAL PROPERTY LADDER_LEFT_OUT_BACKENDS)
  string(REPLACE "+" ";" parts "${backends}")
  set(why_not "")
  set(libraries "")
  set(lattices "")
  set(language CXX)
  set(flags "")
  set(link_flags "")
  set(launcher "")
  set(declarations "")
  set(calls "")
  set(count_devices "")
  foreach(part IN LISTS parts)
    if(part IN_LIST left_out)
      get_property(why_not GLOBAL PROPERTY LADDER_WHY_NO_${part})
    elseif(NOT TARGET ladder_backend_${part})
      list(JOIN built ", " accepted)
      message(FATAL_ERROR "there is no backend '${part}' (of '${backends}'); accepted are ${accepted}, and combinations a+b")
    else()
      get_target_property(part_language ladder_backend_${part} LADDER_LANGUAGE)
      get_target_property(part_flags ladder_backend_${part} LADDER_FLAGS)
      get_target_property(part_link_flags ladder_backend_${part} LADDER_LINK_FLAGS)
      get_target_property(part_launcher ladder_backend_${part} LADDER_LAUNCHER)
      list(APPEND launcher ${part_launcher})
      list(APPEND libraries ladder_backend_${part})
      list(APPEND lattices $<TARGET_NAME_IF_EXISTS:lattice_${part}>)
      list(APPEND link_flags ${part_link_flags})
      if(NOT part_language STREQUAL language AND NOT part_language STREQUAL "CXX")
        set(language ${part_language})
        set(flags "")
      endif()
      if(part_language STREQUAL language)
        list(APPEND flags ${part_flags})
      endif()
      string(APPEND declarations "namespace ladder::${part} {\nBackendStatus status();\n}\n")
      list(APPEND calls "${part}::status()")
      get_target_property(counts_devices ladder_backend_${part} LADDER_COUNTS_DEVICES)
      if(counts_devices)
        set(count_devices "\nnamespace ${part} {\nint device_count();\n}\nint device_count() { return ${part}::device_count(); }")
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES flags)
  list(REMOVE_DUPLICATES link_flags)
  list(LENGTH calls count)
  list(JOIN calls ", " calls)
  if(count GREATER 1)
    set(calls "combined({${calls}})")
  else()
    set(count_devices "")
  endif()
  set(${prefix}_WHY_NOT "${why_not}" PARENT_SCOPE)
  set(${prefix}_LIBRARIES "${libraries}" PARENT_SCOPE)
  set(${prefix}_LATTICES "${lattices}" PARENT_SCOPE)
  set(${prefix}_LANGUAGE "${language}" PARENT_SCOPE)
  set(${prefix}_FLAGS "${flags}" PARENT_SCOPE)
  set(${prefix}_LINK_FLAGS "${link_flags}" PARENT_SCOPE)
  set(${prefix}_LAUNCHER "${launcher}" PARENT_SCOPE)
  set(${prefix}_STATUS
      "${declarations}namespace ladder {\nBackendStatus backend_status() { return ${calls}; }${count_devices}\n}" PARENT_SCOPE)
endfunction()

# ladder_add_probe(<backends>)
#
# Adds bin/backends/<backends> (once): a program that answers only `probe`, so that `ladder` can find out whether a backend runs
# here before any rung is built. It is built together with `ladder`.
function(ladder_add_probe backends)
  set(target "backend.${backends}")
  if(TARGET ${target})
    return()
  endif()
  ladder_describe_backends(backend "${backends}")
  set(info "${PROJECT_BINARY_DIR}/backends/${target}.info.cpp")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ProbeInfo.cpp.in" "${info}" @ONLY)
  add_executable(${target} "${info}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/backends"
                                             OUTPUT_NAME "${backends}")
  target_link_libraries(${target} PRIVATE ladder_probe ${backend_LIBRARIES} ladder_program_options)
  set_property(GLOBAL APPEND PROPERTY LADDER_PROBES ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_MANIFEST "backend backends/${backends} ${target}\n")
endfunction()

file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/backends/*/backend.cmake")
foreach(file IN LISTS files)
  include("${file}")
endforeach()

get_property(LADDER_BACKENDS GLOBAL PROPERTY LADDER_BACKENDS)
foreach(backend IN LISTS LADDER_BACKENDS)
  ladder_add_probe(${backend})
endforeach()
