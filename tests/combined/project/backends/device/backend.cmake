ladder_add_backend(device status.cpp LANGUAGE CUDA FLAGS --fast LINK_FLAGS -s)
