ladder_add_backend(other status.cpp FLAGS -O2 -fopenmp LINK_FLAGS -lother)
