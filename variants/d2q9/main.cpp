#include "variants/d2q9/model.hpp"

int main(int argc, char** argv) { return d2q9::command_line(d2q9::rung, ladder::this_rung, argc, argv); }
