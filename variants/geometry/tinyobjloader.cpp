// The single-header library, compiled once here with 64-bit numbers, so that executables need no additional shared library.
#define TINYOBJLOADER_USE_DOUBLE
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
