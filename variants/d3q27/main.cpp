#include "variants/d3q27/model.hpp"

int main(int argc, char** argv) { return d3q27::command_line(d3q27::rung, ladder::this_rung, argc, argv); }
