# ladder_add_ceilings(<backend> <source>… [FLAGS flag…])
#
# Makes the executable bin/ceilings/<backend> out of <source>…, which define ladder::ceilings::make_ceiling.
#   FLAGS  optimization flags, default: -O3 -march=${LADDER_MARCH}; of the backend cuda, for nvcc: -O3. They belong to the
#          ceilings alone.
function(ladder_add_ceilings backend)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FLAGS")
  set(language CXX)
  set(default_flags -O3 -march=${LADDER_MARCH})
  if(backend STREQUAL "cuda")
    set(language CUDA)
    set(default_flags -O3)
  endif()
  if(NOT DEFINED arg_FLAGS)
    set(arg_FLAGS ${default_flags})
  endif()
  set(target "ceilings.${backend}")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/ceilings"
                                             OUTPUT_NAME "${backend}")
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${arg_FLAGS}>")
  if(language STREQUAL "CUDA")
    target_link_options(${target} PRIVATE -s)  # as rungs, for nvcc's names of temporary files
  endif()
  target_link_libraries(${target} PRIVATE ladder_ceilings ladder_backend_${backend} fmt::fmt)

  set(compiler_name "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
  list(JOIN arg_FLAGS " " flags_text)
  set(info "${CMAKE_CURRENT_BINARY_DIR}/${target}.info.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/CeilingsInfo.cpp.in" "${info}" @ONLY)
  target_sources(${target} PRIVATE "${info}")

  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "$<TARGET_FILE:${target}>" describe > "$<TARGET_FILE:${target}>.json" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY LADDER_MANIFEST "ceilings ceilings/${backend}")
endfunction()
