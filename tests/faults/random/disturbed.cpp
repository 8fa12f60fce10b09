#include "tests/faults/random/disturbed.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "harness/record/rows.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

/// Waits up to `seconds` for a child to exit. Returns whether it has.
bool ends_within(pid_t child, double seconds) {
  pollfd ended{static_cast<int>(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  const double whole = std::floor(seconds);
  const timespec time{static_cast<time_t>(whole), static_cast<long>(1e9 * (seconds - whole))};
  const bool has_ended = ppoll(&ended, 1, &time, nullptr) == 1;
  close(ended.fd);
  return has_ended;
}

}  // namespace

StoredRows::Difference StoredRows::from(const StoredRows& wanted) const {
  Difference difference;
  for (const auto& [row, count] : wanted.counts) {
    const auto found = counts.find(row);
    const int here = found == counts.end() ? 0 : found->second;
    (here < count ? difference.lost : difference.doubled) += std::abs(here - count);
  }
  for (const auto& [row, count] : counts)
    if (!wanted.counts.contains(row)) difference.other += count;
  return difference;
}

DisturbedStudy::DisturbedStudy(const Installation& on, const std::string& name, unsigned seed)
    : on_(on),
      folder_("experiments/" + name + "/results"),
      store_(folder_ + "/here.csv"),
      words_{"run", name, "--machine", "here", "--no-report"},
      random_(seed) {}

void DisturbedStudy::forget() const { fs::remove_all(on_.path(folder_)); }

DisturbedStudy::End DisturbedStudy::end_of(pid_t run, double seconds, int signal, bool whole_group) const {
  End end;
  end.by_itself = ends_within(run, seconds);
  if (!end.by_itself) {
    kill(whole_group ? -run : run, signal);
    end.hangs = !ends_within(run, 30);
    if (end.hangs) kill(run, SIGKILL);
  }
  int status = 0;
  waitpid(run, &status, 0);
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

StoredRows DisturbedStudy::rows() const {
  StoredRows stored;
  std::set<std::string> sessions;
  for (const auto& row : read_rows(on_.path(store_)).rows) {
    sessions.insert(row.session);
    ++stored.counts[row.kind + " " + row.rung + " " + row.case_name + " " + row.precision + " " + row.tuning + " " +
                    std::to_string(row.round) + " " + row.outcome];
  }
  stored.sessions = sessions.size();
  return stored;
}

std::pair<std::string, std::size_t> DisturbedStudy::last_row() const {
  std::string text = store();
  if (text.empty() || text.back() != '\n') return {};
  const auto before = text.rfind('\n', text.size() - 2);
  if (before == std::string::npos) return {};  // only the header
  const std::size_t size = text.size() - before - 1;
  return {std::move(text), size};
}

void DisturbedStudy::append_half_a_row() {
  const auto [text, size] = last_row();
  if (size == 0) return;
  std::ofstream(on_.path(store_), std::ios::app) << text.substr(text.size() - size, choose(1, size - 2));
}

void DisturbedStudy::cut_last_row() {
  const auto [text, size] = last_row();
  if (size == 0) return;
  fs::resize_file(on_.path(store_), text.size() - choose(1, size - 1));
}

bool DisturbedStudy::corrupt_a_row() {
  std::string text = store();
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at)
    ends.push_back(at);
  if (ends.size() < 3) return false;  // only the header and at most one row
  const std::size_t row = ends[choose(0, ends.size() - 3)];
  text.erase(text.find(',', row), 1);
  set_store(text);
  return true;
}

}  // namespace ladder::test
