#pragma once

#include <string>

namespace ladder {

/// Locks an open file or folder until it is closed. Returns false, with errno, if another process holds the lock (EWOULDBLOCK)
/// or the file system has no locks. Tries for a fifth of a second, because a child that a killed program was about to start
/// still holds the program's lock.
bool lock(int descriptor);

/// ` (process 1234)`: the process that has locked the file, as the operating system lists it; empty if it is not listed.
std::string lock_holder(int descriptor);

}  // namespace ladder
