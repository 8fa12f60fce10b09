#include "base/standard_streams.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

namespace ladder {
namespace {

/// Runs in a child process. Closes some of the descriptors 0 to 2 and opens them again. Exits with the descriptor of a file
/// opened afterwards, or with more than 100 if one of the three is closed, or would be closed in a child process.
[[noreturn]] void close_and_open(bool in, bool out, bool err) {
  const bool is_closed[] = {in, out, err};
  for (int d = 0; d <= 2; ++d)
    if (is_closed[d]) close(d);
  open_standard_streams();
  for (int d = 0; d <= 2; ++d)
    if (fcntl(d, F_GETFD) != 0) std::_Exit(101 + d);
  std::_Exit(open("/dev/null", O_RDONLY));
}

bool is_another_number(int status) { return WIFEXITED(status) && WEXITSTATUS(status) > 2 && WEXITSTATUS(status) <= 100; }

TEST(StandardStreams, AreOpenWhicheverWereClosed) {
  for (int closed = 0; closed < 8; ++closed)
    EXPECT_EXIT(close_and_open((closed & 1) != 0, (closed & 2) != 0, (closed & 4) != 0), is_another_number, "") << closed;
}

}  // namespace
}  // namespace ladder
