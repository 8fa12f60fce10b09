# The parallel algorithms of C++17, which GCC's library runs on Intel's oneTBB.
find_package(TBB QUIET)
if(NOT TBB_FOUND)
  ladder_leave_out_backend(algorithms "CMake finds no oneTBB (Debian package libtbb-dev)")
  return()
endif()
ladder_add_backend(algorithms status.cpp LINK TBB::tbb)
