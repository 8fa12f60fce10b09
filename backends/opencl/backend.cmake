# Kernels compiled at run time for the device at hand.
find_package(OpenCL REQUIRED)
ladder_add_backend(opencl build_lock.cpp check.cpp device.cpp program.cpp share.cpp shuffle.cpp status.cpp MEASURED launch.cpp COUNTS_DEVICES
                   LINK OpenCL::OpenCL)
foreach(text common lanes reduce shuffle)
  ladder_embed_text(ladder_backend_opencl "${CMAKE_CURRENT_LIST_DIR}/${text}.cl" ladder::opencl::${text}_text)
endforeach()
