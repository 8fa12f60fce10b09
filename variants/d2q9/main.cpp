#include "harness/rung_main.hpp"
#include "variants/d2q9/model.hpp"

int main(int argc, char** argv) { return ladder::rung_main<d2q9::Model>(d2q9::rung, argc, argv); }
