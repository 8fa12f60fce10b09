# Writes OUT, a C++ file that defines ladder::kernel_header as the comment at the start of the kernel file IN.
file(READ "${IN}" text)
string(REGEX MATCH "^(//[^\n]*\n)*" header "${text}")
file(WRITE "${OUT}" "#include \"harness/record/kernel_header_mark.hpp\"\nnamespace ladder {\n"
                    "extern const char kernel_header[kernel_header_bytes];\n"
                    "const char kernel_header[kernel_header_bytes] = LADDER_KERNEL_HEADER_MARK R\"embedded(${header})embedded\";\n}\n")
