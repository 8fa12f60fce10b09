# Loops divided among threads.
find_package(OpenMP REQUIRED COMPONENTS CXX)
ladder_add_backend(openmp status.cpp LINK OpenMP::OpenMP_CXX)
