# ladder_add_ceilings(<backend> <source>… [FLAGS flag…])
#
# Builds the executable bin/ceilings/<backend> from <source>…, which define ladder::ceilings::make_ceiling.
#   FLAGS  optimization flags; default: the backend's. They apply only to the ceilings.
function(ladder_add_ceilings backend)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FLAGS")
  ladder_describe_backends(backend ${backend})
  if(NOT DEFINED arg_FLAGS)
    set(arg_FLAGS ${backend_FLAGS})
  endif()
  set(target "ceilings.${backend}")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  ladder_name_cuda_sources(${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/ceilings"
                                             OUTPUT_NAME "${backend}")
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${backend_LANGUAGE}>:${arg_FLAGS}>")
  target_link_options(${target} PRIVATE ${backend_LINK_FLAGS})
  target_link_libraries(${target} PRIVATE ladder_ceilings ${backend_LIBRARIES} fmt::fmt)

  set(compiler_name "${CMAKE_${backend_LANGUAGE}_COMPILER_ID} ${CMAKE_${backend_LANGUAGE}_COMPILER_VERSION}")
  list(JOIN arg_FLAGS " " flags_text)
  set(info "${CMAKE_CURRENT_BINARY_DIR}/${target}.info.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/CeilingsInfo.cpp.in" "${info}" @ONLY)
  target_sources(${target} PRIVATE "${info}")

  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "$<TARGET_FILE:${target}>" describe > "$<TARGET_FILE:${target}>.json" VERBATIM)
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_MANIFEST "ceilings ceilings/${backend} ${target}\n")
endfunction()
