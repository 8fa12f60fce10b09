# One thread of the processor.
ladder_add_backend(serial status.cpp)
