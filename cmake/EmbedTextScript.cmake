# Writes OUT, a C++ file that defines DECLARATION (possibly qualified, `ns::name`) as the concatenated text of the files IN.
set(text)
foreach(file IN LISTS IN)
  file(READ "${file}" part)
  string(APPEND text "${part}")
endforeach()
string(REGEX MATCH "^(.*)::([^:]+)$" qualified "${DECLARATION}")
set(namespace "${CMAKE_MATCH_1}")
set(name "${CMAKE_MATCH_2}")
file(WRITE "${OUT}" "#include <string_view>\nnamespace ${namespace} {\nextern const std::string_view ${name};\n"
                    "const std::string_view ${name} = R\"embedded(${text})embedded\";\n}\n")
