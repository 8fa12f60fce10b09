#pragma once

#include <string>

namespace ladder {

/// Locks an open file or folder until it is closed. Returns false and sets errno if another process holds the lock
/// (EWOULDBLOCK) or the file system does not support locks. Retries for a fifth of a second: when a program is killed, a child
/// it was just starting still holds its lock briefly.
bool lock(int descriptor);

/// ` (process 1234)`: the process that holds the lock, according to the operating system; empty if it is not listed.
std::string lock_holder(int descriptor);

}  // namespace ladder
