ladder_add_backend(plain status.cpp)
