#pragma once

#include <string>

namespace ladder {

/// Locks an open file or folder until it is closed; false, with errno, where another process holds it (EWOULDBLOCK) or its file
/// system knows no locks. Tries for a fifth of a second: when a program is killed, a child that it was just about to start
/// still holds the lock.
bool lock(int descriptor);

/// ` (process 1234)`: who has locked the file, as the operating system lists it; empty where it does not tell.
std::string lock_holder(int descriptor);

}  // namespace ladder
