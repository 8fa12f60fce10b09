# Kernels compiled at run time for whatever device there is.
find_package(OpenCL REQUIRED)
ladder_add_backend(opencl check.cpp device.cpp program.cpp status.cpp LINK OpenCL::OpenCL)
