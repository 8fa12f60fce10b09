# Loops that the compiler offloads as OpenMP's directives say, with the compiler and the runtime of OpenACC (backends/openacc): one
# program cannot have loops of both. Without a GPU, threads of this processor run them.
if(NOT TARGET ladder_offload)
  get_property(why_not GLOBAL PROPERTY LADDER_WHY_NO_openacc)
  ladder_leave_out_backend(target "${why_not}")
  return()
endif()
ladder_add_backend(target status.cpp LINK ladder_offload)
target_compile_options(ladder_backend_target PUBLIC -fopenmp ${offloaded})
target_link_options(ladder_backend_target INTERFACE -fopenmp ${offload} -no-pie)
