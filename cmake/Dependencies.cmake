# All dependencies come from Debian packages (the wrapper script `ladder` installs them); nothing is downloaded.
# Each backend.cmake looks for its backend's dependencies.
find_package(benchmark REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(muparser REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_library(CSV_LIBRARY csv REQUIRED)
find_path(CSV_INCLUDE_DIR csv.h REQUIRED)
find_library(HWLOC_LIBRARY hwloc REQUIRED)
find_path(HWLOC_INCLUDE_DIR hwloc.h REQUIRED)
find_path(TINYOBJLOADER_INCLUDE_DIR tiny_obj_loader.h REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()

# The second compiler of the flags axis.
find_program(LADDER_CLANG NAMES clang++ clang++-14 clang++-16 clang++-19 REQUIRED)
execute_process(COMMAND "${LADDER_CLANG}" -dumpversion OUTPUT_VARIABLE LADDER_CLANG_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
