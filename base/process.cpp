#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"

namespace ladder {
namespace {

using Clock = std::chrono::steady_clock;
using Ids = std::vector<pid_t>;

constexpr std::size_t kept_output = std::size_t{16} << 20;
constexpr int poll_milliseconds = 20;

volatile std::sig_atomic_t interrupted = 0;  ///< the signal that asked the program to terminate
constexpr std::array requests_to_end = {SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM};  // SIGALRM: alarm()

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void wait_milliseconds(int time) { poll(nullptr, 0, time); }

/// Two connected descriptors, closed by the destructor.
class Pair {
 public:
  /// Sockets instead of pipes, because writing to a socket whose other end is closed need not raise a signal.
  enum class Kind { pipe, sockets };
  explicit Pair(Kind kind) {
    if (kind == Kind::pipe && pipe2(ends_.data(), O_CLOEXEC) != 0) fail("pipe");
    if (kind == Kind::sockets && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) fail("socketpair");
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    close_end(0);
    close_end(1);
  }
  [[nodiscard]] int operator[](std::size_t which) const { return ends_[which]; }
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

/// A child's program and descriptors; input: -1 for none.
struct Start {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int input, out, err;
  pid_t parent;
  const char* folder;  ///< null: this process's
};

/// Uses only calls that are safe between fork and exec.
[[noreturn]] void become(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int ignored : {SIGPIPE, SIGXFSZ})  // this project's programs ignore them
    signal(ignored, SIG_DFL);
  if (getppid() != start.parent) _exit(127);
  // If memory runs out, it is killed first; if it crashes, it writes no core file.
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0 && write(score, "1000", 4) < 0) close(score);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(start.input >= 0 ? start.input : open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(start.out, STDOUT_FILENO);
  dup2(start.err, STDERR_FILENO);
  if (start.folder == nullptr || chdir(start.folder) == 0) execve(start.program, start.arguments, start.environment);
  const char* reason = std::strerror(errno);
  if (write(STDERR_FILENO, reason, std::strlen(reason)) < 0) _exit(126);
  _exit(127);
}

/// Leaves out the middle of a text longer than kept_output: what matters comes first or last.
void shorten(std::string& text) {
  constexpr std::string_view gap = "\n…\n";
  if (text.size() > kept_output) text.replace(kept_output / 2, text.size() - kept_output + gap.size(), gap);
}

/// Moves the readable bytes into `text`, which may become somewhat longer than kept_output. Returns false at the end of the
/// stream.
bool drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  if (text.size() > kept_output + kept_output / 2) shorten(text);
  return count > 0;
}

std::vector<std::string> merged_environment(const Environment& added) {
  std::vector<std::string> merged;
  for (const auto& [name, value] : added)
    merged.push_back(name + "=" + value);
  const auto is_replaced = [&](std::string_view entry) {
    return std::any_of(added.begin(), added.end(), [&](const auto& a) { return entry.starts_with(a.first + "="); });
  };
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!is_replaced(*entry)) merged.emplace_back(*entry);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& s : strings)
    out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

/// Children of all threads of a process; none if it has ended.
Ids children_of(pid_t parent) {
  namespace fs = std::filesystem;
  Ids all;
  std::error_code error;
  for (fs::directory_iterator task("/proc/" + std::to_string(parent) + "/task", error); !error && task != fs::end(task);
       task.increment(error)) {
    std::ifstream file(task->path() / "children");
    for (pid_t child = 0; file >> child;)
      all.push_back(child);
  }
  return all;
}

/// Resident memory of a process and all its descendants, in bytes. Shared pages count once per process.
double resident_bytes(pid_t process) {
  static const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  double bytes = resident * page;
  for (const pid_t child : children_of(process))
    bytes += resident_bytes(child);
  return bytes;
}

/// A started program and its descendants. Orphaned descendants become children of this process, so that repeatedly killing its
/// children reaches all of them, and no other process.
class Family {
 public:
  Family(const std::filesystem::path& program, const std::vector<std::string>& arguments, const Environment& environment,
         bool has_input, double memory_bytes, const std::filesystem::path& folder = {})
      : memory_bytes_(memory_bytes > 0 ? memory_bytes : 0.9 * available_memory()) {
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = merged_environment(environment);
    const auto argv = pointers(words);
    const auto envp = pointers(variables);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("prctl");
    if (has_input) input_.emplace(Pair::Kind::sockets);
    strangers_ = children_of(getpid());
    const Start start = {argv[0], argv.data(), envp.data(), has_input ? (*input_)[0] : -1,
                         out_[1], err_[1],     getpid(),    folder.empty() ? nullptr : folder.c_str()};
    child_ = fork();
    if (child_ < 0) fail("fork");
    if (child_ == 0) become(start);
    setpgid(child_, child_);
    if (has_input) input_->close_end(0);
    out_.close_end(1);
    err_.close_end(1);
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;
  ~Family() {
    know_strangers();
    end();
  }

  [[nodiscard]] pid_t child() const { return child_; }

  /// Existing children of this process do not belong to the program.
  void know_strangers() {
    strangers_ = children_of(getpid());
    std::erase(strangers_, child_);
  }

  /// Collects the program's output until it has ended, is_enough(result), or a limit is reached. Then kills the processes that
  /// the program left behind and, at a limit, the program itself. Returns true if the output is enough; the program then keeps
  /// running.
  template <class Enough>
  bool collect(ProcessResult& result, double timeout_seconds, Enough is_enough) {
    auto look_at_memory = Clock::now();
    result.memory_bytes = memory_bytes_;
    const auto stop_at = [&](ProcessResult::End limit) {
      end();
      result.end = limit;
      result.seconds = seconds_since(begin_);
      return false;
    };
    std::array<pollfd, 2> streams = {{{out_[0], POLLIN, 0}, {err_[0], POLLIN, 0}}};
    while (!has_ended()) {
      resume();
      if (interrupted != 0) {
        end();
        heed_interrupts();
      }
      if (seconds_since(begin_) >= timeout_seconds) return stop_at(ProcessResult::End::timed_out);
      if (Clock::now() >= look_at_memory) {
        const double used = memory();
        if (used > memory_bytes_) return stop_at(ProcessResult::End::out_of_memory);
        look_at_memory = Clock::now() + time_to_fill(memory_bytes_ - used);
      }
      // Descendants that a program leaves behind keep its streams open, so check also whether the program itself has ended.
      const bool are_closed = streams[0].fd < 0 && streams[1].fd < 0;
      poll(streams.data(), streams.size(), are_closed ? 1 : poll_milliseconds);
      read_from(streams, result);
      if (is_enough(result)) {
        result.seconds = seconds_since(begin_);
        return true;
      }
    }
    result.seconds = seconds_since(begin_);
    end();
    while ((streams[0].fd >= 0 || streams[1].fd >= 0) && poll(streams.data(), streams.size(), 0) > 0)
      read_from(streams, result);
    if (WIFSIGNALED(status_)) {
      result.end = ProcessResult::End::signalled;
      result.code = WTERMSIG(status_);
    } else {
      result.code = WEXITSTATUS(status_);
    }
    return false;
  }

  /// Whether the program is running and has written nothing; drops its standard error so far.
  [[nodiscard]] bool is_silent() {
    pollfd err = {err_[0], POLLIN, 0};
    for (std::string dropped; poll(&err, 1, 0) > 0 && drain(err.fd, dropped);)
      dropped.clear();
    pollfd out = {out_[0], POLLIN, 0};
    return !has_ended() && poll(&out, 1, 0) == 0;
  }

  [[nodiscard]] bool has_children() const { return !children_of(child_).empty(); }
  [[nodiscard]] bool has_orphans() const { return nearest() != Ids{child_}; }

  void send(std::string_view text) {
    begin_ = Clock::now();
    while (!text.empty()) {
      const ssize_t count = ::send((*input_)[1], text.data(), text.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR && interrupted == 0) continue;
      if (count < 0) return;  // it has ended; this is noticed when waiting for its answer
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  /// Closes the program's stdin and gives it time to exit on its own.
  void take_leave(double seconds) {
    input_->close_end(1);
    const auto begin = Clock::now();
    while (!has_ended() && seconds_since(begin) < seconds)
      wait_milliseconds(1);
  }

  /// Makes end() first ask the program to exit on its own within this many seconds.
  void set_grace(double seconds) { grace_seconds_ = seconds; }

  /// Kills the program and its descendants, and waits until they are gone.
  void end() {
    // On an interrupt, a program that runs others removes their files.
    const double grace_seconds = interrupted != 0 && input_ ? 1 : grace_seconds_;
    if (grace_seconds > 0 && !has_ended()) {
      kill(child_, SIGTERM);
      for (const auto asked = Clock::now(); !has_ended() && seconds_since(asked) < grace_seconds;)
        wait_milliseconds(1);
    }
    if (!is_reaped_) kill(-child_, SIGKILL);
    const auto begin = Clock::now();
    for (Ids left = nearest(); !left.empty(); left = nearest()) {
      bool is_one_gone = false;
      for (const pid_t id : left) {
        kill(id, SIGKILL);
        int status = 0;
        if (waitpid(id, &status, WNOHANG) != id) continue;
        is_one_gone = true;
        if (id != child_) continue;
        status_ = status;
        is_reaped_ = true;
      }
      if (is_one_gone) continue;
      if (seconds_since(begin) > 10) {  // blocked in the operating system, e.g. in a driver
        print_err("process {} does not end, though it was killed; it is left behind\n", left.front());
        return;
      }
      wait_milliseconds(1);
    }
  }

 private:
  /// Whether the program has ended; it is not reaped yet, so its process id is not reused.
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return is_reaped_ ||
           (waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child_);
  }

  /// Resumes the program if it was stopped, e.g. by one of its children: a stopped program cannot enforce its own limits.
  void resume() const {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == child_)
      kill(child_, SIGCONT);
  }

  static void read_from(std::array<pollfd, 2>& streams, ProcessResult& result) {
    for (auto& stream : streams)
      if ((stream.revents & (POLLIN | POLLHUP)) != 0 && !drain(stream.fd, &stream == streams.data() ? result.out : result.err))
        stream.fd = -1;
  }

  /// Children of this process that belong to the program: the program itself, and orphans.
  [[nodiscard]] Ids nearest() const {
    Ids all = children_of(getpid());
    std::erase_if(all, [&](pid_t id) { return std::find(strangers_.begin(), strangers_.end(), id) != strangers_.end(); });
    return all;
  }

  [[nodiscard]] double memory() const {
    double bytes = 0;
    for (const pid_t id : nearest())
      bytes += resident_bytes(id);
    return bytes;
  }

  /// Time until the next memory check: no program touches new pages faster than 50 GB/s. A check takes about 0.1 ms on a
  /// processor that the program may be using.
  static Clock::duration time_to_fill(double bytes) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::clamp(bytes / 50e9, 0.02, 1.0)));
  }

  Clock::time_point begin_ = Clock::now();  ///< set before the process starts its work
  double memory_bytes_;
  double grace_seconds_ = 0;
  Pair out_ = Pair(Pair::Kind::pipe);
  Pair err_ = Pair(Pair::Kind::pipe);
  std::optional<Pair> input_;
  Ids strangers_;
  pid_t child_ = -1;
  bool is_reaped_ = false;
  int status_ = 0;
};

/// The answer of a resident process; nothing if the line is none.
std::optional<ProcessResult> parse_answer(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("code") || !json.contains("out") || !json.contains("err")) return std::nullopt;
  if (!json["code"].is_number_integer() || !json["out"].is_string() || !json["err"].is_string()) return std::nullopt;
  ProcessResult result;
  result.code = json["code"].get<int>();
  result.out = json["out"].get<std::string>();
  result.err = json["err"].get<std::string>();
  return result;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int number) {
    if (interrupted == 0 || number != SIGALRM) interrupted = number;
  };
  for (const int number : requests_to_end) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

void heed_interrupts() {
  if (interrupted != 0) throw Interrupted();
}

bool take_alarm() {
  if (interrupted != SIGALRM) return false;
  interrupted = 0;
  return true;
}

void release_interrupts() {
  for (const int number : requests_to_end) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) signal(number, SIG_DFL);
  }
  heed_interrupts();
}

ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const Environment& environment, double memory_bytes, double grace_seconds,
                          const std::filesystem::path& folder) {
  ProcessResult result;
  Family family(program, arguments, environment, false, memory_bytes, folder);
  family.set_grace(grace_seconds);
  family.collect(result, timeout_seconds, [](const ProcessResult&) { return false; });
  shorten(result.out);
  shorten(result.err);
  return result;
}

class Resident::Process : public Family {
  using Family::Family;
};

Resident::Resident(std::filesystem::path program, Environment environment, std::vector<std::string> launcher)
    : program_(std::move(program)), environment_(std::move(environment)), launcher_(std::move(launcher)) {}

Resident::~Resident() {
  if (process_ != nullptr) process_->take_leave(0.5);
}

int Resident::id() const { return process_ == nullptr ? 0 : process_->child(); }

ProcessResult Resident::request(const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes) {
  if (process_ != nullptr && !process_->is_silent()) process_.reset();
  if (process_ == nullptr) {
    std::vector<std::string> words = launcher_;
    words.insert(words.end(), {program_.string(), "serve"});
    process_ = std::make_unique<Process>(words.front(), std::vector<std::string>(words.begin() + 1, words.end()), environment_,
                                         true, memory_bytes);
    if (!launcher_.empty()) process_->set_grace(launcher_grace_seconds);
  }
  // Returned below if it can serve another request.
  auto process = std::move(process_);
  process->know_strangers();
  process->send(nlohmann::json(arguments).dump() + "\n");
  ProcessResult result;
  std::optional<ProcessResult> answer;
  std::size_t line = 0, seen = 0;
  const bool answered = process->collect(result, timeout_seconds, [&](const ProcessResult& so_far) {
    const std::string_view out = so_far.out;
    for (std::size_t end = 0; (end = out.find('\n', std::max(line, seen))) != std::string_view::npos; line = end + 1) {
      const bool is_last = end + 1 == out.size();
      const bool has_others = !launcher_.empty();  // lines that the launcher prints
      if (is_last || has_others) answer = parse_answer(out.substr(line, end - line));
      if (answer || !has_others) return true;
    }
    seen = out.size();
    return out.size() >= kept_output;
  });
  if (!answered) return result;
  if (!answer) {
    process->end();
    result.out.clear();
    return result;
  }
  result.code = answer->code;
  result.out = std::move(answer->out);
  result.err = answer->err + result.err;
  const bool is_fit = result.code == exit_ok || result.code == exit_bad_input || result.code == exit_unavailable;
  if (is_fit && !process->has_orphans() && (!launcher_.empty() || !process->has_children()))
    process_ = std::move(process);
  else
    process->end();
  return result;
}

Resident& Residents::of(const std::filesystem::path& program, const Environment& environment,
                        const std::vector<std::string>& launcher) {
  const auto resident =
      std::find_if(alive_.begin(), alive_.end(), [&](const Resident& r) { return r.is(program, environment, launcher); });
  if (resident != alive_.end()) return *resident;
  if (alive_.size() == most) alive_.pop_front();
  return alive_.emplace_back(program, environment, launcher);
}

}  // namespace ladder
