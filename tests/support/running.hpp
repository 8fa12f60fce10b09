#pragma once

#include <sys/types.h>

#include <csignal>

namespace ladder::test {

/// Whether there is a process with this id.
inline bool is_running(pid_t process) { return kill(process, 0) == 0; }

}  // namespace ladder::test
