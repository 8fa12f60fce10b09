# ladder_embed_text(<target> <files> <declaration>)
#
# Compiles the concatenated text of <files>, a list, into <target> as the definition of <declaration>, a `const
# std::string_view` declared elsewhere, e.g. `d2q9::shared_source`. The text is embedded at build time and thus follows changes
# of the files. Comments in code are left out.
function(ladder_embed_text target files declaration)
  list(GET files -1 last)
  get_filename_component(name "${last}" NAME)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.embedded.cpp")
  set(paths)
  foreach(file IN LISTS files)
    get_filename_component(path "${file}" ABSOLUTE)
    list(APPEND paths "${path}")
  endforeach()
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -D "IN=${paths}" -D "OUT=${out}" -D "DECLARATION=${declaration}"
            -P "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
    DEPENDS ${paths} "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
    VERBATIM)
  set_source_files_properties("${out}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${out}")
endfunction()

# ladder_embed_header(<target> <kernel file>)
#
# Compiles the header of the kernel file into <target> as ladder::kernel_header. Its size does not depend on the text, and the
# hash of an executable excludes it (harness/record/kernel_header_mark.hpp), so rewording it does not invalidate any result.
function(ladder_embed_header target kernel)
  get_filename_component(path "${kernel}" ABSOLUTE)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${target}.header.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedHeaderScript.cmake")
  add_custom_command(OUTPUT "${out}" COMMAND "${CMAKE_COMMAND}" -D "IN=${path}" -D "OUT=${out}" -P "${script}"
                     DEPENDS "${path}" "${script}" VERBATIM)
  set_source_files_properties("${out}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${out}")
endfunction()
