# Several devices of another backend in one process: part of a combination, e.g. devices+cuda.
ladder_add_backend(devices status.cpp)
