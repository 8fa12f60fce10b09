# ladder_embed_text(<target> <file> <declaration>)
#
# Compiles the text of <file> into <target> as the definition of <declaration>, a `const std::string_view` declared elsewhere,
# e.g. `d2q9::shared_source`. The text follows the file: it is embedded at build time.
function(ladder_embed_text target file declaration)
  get_filename_component(name "${file}" NAME)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.embedded.cpp")
  get_filename_component(path "${file}" ABSOLUTE)
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -D "IN=${path}" -D "OUT=${out}" -D "DECLARATION=${declaration}"
            -P "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
    DEPENDS "${path}" "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
