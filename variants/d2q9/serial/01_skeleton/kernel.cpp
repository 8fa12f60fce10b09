// Idea:    the starting point: accelerate, propagate, rebound, collide and average speed as separate loops
// Layout:  array of structures, f[y][x][9], two lattices
// Traffic: propagate and collide each read and write 9 numbers and fetch what they overwrite, the average speed reads 9;
//          rebound, collide and average speed read one flag each: 45 and 3 bytes read, 18 written
// Source:  Waugh, Table I, row "Skeleton"; the UoB-HPC coursework code
// Bound:   scalar arithmetic of one core
#include "variants/d2q9/serial/01_skeleton/skeleton.hpp"

const d2q9::Rung d2q9::rung = {
    .follows = "", .traffic = skeleton_traffic, .collision = "textbook", .make = ladder::make_solver<Skeleton, Model>};
