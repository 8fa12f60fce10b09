# A single CPU thread.
ladder_add_backend(serial status.cpp)
