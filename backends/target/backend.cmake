# Loops that the compiler offloads according to OpenMP directives, with the same compiler and runtime as OpenACC
# (backends/openacc); a program cannot contain both kinds of loops. Without a GPU, they run on threads of this processor.
if(NOT TARGET ladder_offload)
  get_property(why_not GLOBAL PROPERTY LADDER_WHY_NO_openacc)
  ladder_leave_out_backend(target "${why_not}")
  return()
endif()
ladder_add_backend(target status.cpp LINK ladder_offload)
target_compile_options(ladder_backend_target PUBLIC -fopenmp ${offloaded})
target_link_options(ladder_backend_target INTERFACE -fopenmp ${offload} -no-pie)
