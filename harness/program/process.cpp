#include "harness/program/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace ladder {
namespace {

constexpr std::size_t kept_output = std::size_t{16} << 20;

volatile std::sig_atomic_t interrupted = 0;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A pipe's two ends, closed with it.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail("pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_end(int which) {
    if (ends_[which] >= 0) close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

/// Only calls that are safe between fork and exec.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment, int out, int err,
                         pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execve(program, arguments, environment);
  const char* reason = std::strerror(errno);
  if (write(STDERR_FILENO, reason, std::strlen(reason)) < 0) _exit(126);
  _exit(127);
}

/// Moves what is readable into `text`, keeping no more than kept_output. False at the end of the stream.
bool drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (text.size() < kept_output) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry)
    merged.emplace_back(*entry);
  for (const auto& [name, value] : added)
    if (std::getenv(name.c_str()) == nullptr) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& s : strings)
    out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const std::vector<std::pair<std::string, std::string>>& environment) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = merged_environment(environment);
  const auto argv = pointers(words);
  const auto envp = pointers(variables);

  Pipe out;
  Pipe err;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) become(words[0].c_str(), argv.data(), envp.data(), out.write_end(), err.write_end(), self);
  setpgid(child, child);
  out.close_end(1);
  err.close_end(1);

  ProcessResult result;
  const auto kill_group = [&] {
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
  };
  std::array<pollfd, 2> streams = {{{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}}};
  int status = 0;
  bool ended = false;
  while (!ended) {
    if (interrupted != 0) {
      kill_group();
      throw Interrupted{};
    }
    const double left = timeout_seconds - elapsed();
    if (left <= 0) {
      kill_group();
      result.end = ProcessResult::End::timed_out;
      result.seconds = elapsed();
      return result;
    }
    // A child that leaves descendants behind keeps its streams open, so its own end is asked for, too.
    poll(streams.data(), streams.size(), 20);
    if ((streams[0].revents & (POLLIN | POLLHUP)) != 0 && !drain(streams[0].fd, result.out)) streams[0].fd = -1;
    if ((streams[1].revents & (POLLIN | POLLHUP)) != 0 && !drain(streams[1].fd, result.err)) streams[1].fd = -1;
    const bool closed = streams[0].fd < 0 && streams[1].fd < 0;
    ended = waitpid(child, &status, closed ? 0 : WNOHANG) == child;
  }
  result.seconds = elapsed();
  kill(-child, SIGKILL);  // what it left behind
  for (auto& stream : streams)
    while (stream.fd >= 0 && poll(&stream, 1, 0) > 0)
      if (!drain(stream.fd, &stream == streams.data() ? result.out : result.err)) stream.fd = -1;
  if (WIFSIGNALED(status)) {
    result.end = ProcessResult::End::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace ladder
