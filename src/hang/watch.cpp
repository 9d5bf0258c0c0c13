#include "hang/watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "hang/memory.hpp"
#include "hang/signals.hpp"

namespace tutti::hang {

Lookout::Waiting Lookout::look(const Block& block, double now) {
  Waiting longest;
  for (std::size_t i = 0; i < block.rings.size(); ++i) {
    const Ring& ring = block.rings[i];
    const std::uint64_t calls = std::atomic_ref(const_cast<std::uint64_t&>(ring.next)).load(std::memory_order_relaxed);
    const Record& record = ring.records[(calls - 1) % most_records];
    const std::uint64_t stamp =
        std::atomic_ref(const_cast<std::uint64_t&>(record.stamp)).load(std::memory_order_acquire);
    const bool waits = calls != 0 && stamp == calls && record.progress == static_cast<std::uint8_t>(Progress::inside);
    if (!waits || seen_[i].stamp != stamp) {
      seen_[i] = {waits ? stamp : 0, now};
      continue;
    }
    if (now - seen_[i].since > longest.seconds) longest = {&ring, &record, now - seen_[i].since};
  }
  return longest;
}

namespace {

std::atomic<bool> stopped{false};
int wake = -1;     ///< eventfd, written by the signal's handler
double limit = 0;  ///< seconds; 0: no limit

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void on_signal(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  if (write(wake, &one, sizeof one) < 0) errno = error;  // it has been told already
  errno = error;
}

/// For the command: not preloaded, and no rank of the job.
std::vector<char*> plain_environment() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    bool dropped = false;
    for (const std::string_view name : {"LD_PRELOAD=", "PMI_", "PMIX_", "OMPI_", "TUTTI_HANG=", "TUTTI_HANG_SIGNAL="})
      dropped = dropped || text.starts_with(name);
    if (!dropped) kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

/// Its exit status; -1 where it cannot be started.  What it prints goes to stderr.
int run_command(const std::string& waited) {
  const char* const named = std::getenv("TUTTI_HANG_COMMAND");
  const std::string command = named && *named ? named : "tutti", pid = std::to_string(getpid());
  const std::string words[] = {command, "hang", pid, "--from-inside", waited};
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables = plain_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int error = posix_spawnp(&child, command.c_str(), &actions, &attributes, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return -1;
  int status = 0;
  if (waitpid(child, &status, 0) != child) return 0;  // the program has waited for it
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char* name_of(std::uint8_t code) {
  constexpr std::uint8_t plain = 63;
  for (const Name& name : block().names)
    if (name.what == Name::call && name.value == (code & plain)) return name.text.data();
  return "a collective";
}

/// Without the command: what this rank knows by itself.
void say_alone(const Lookout::Waiting& waiting) {
  const Head& head = block().head;
  std::array<char, 512> line{};
  const int length =
      waiting.record
          ? std::snprintf(line.data(), line.size(),
                          "tutti: rank %d: no progress for %.0f s in MPI_%s, call %llu of its communicator; "
                          "`tutti hang %d` on %s names who is missing\n",
                          head.world_rank, waiting.seconds, name_of(waiting.record->code),
                          static_cast<unsigned long long>(waiting.record->sequence), head.pid, head.host.data())
          : std::snprintf(line.data(), line.size(),
                          "tutti: rank %d is in no collective; `tutti hang %d` on %s names who waits\n",
                          head.world_rank, head.pid, head.host.data());
  if (write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length)) < 0) return;
}

void report(const Lookout::Waiting& waiting) {
  const std::string waited = std::to_string(static_cast<long>(waiting.seconds));
  if (run_command(waited) != 0) say_alone(waiting);
}

/// Whether a signal has come before the time was over.
bool signalled(int milliseconds) {
  pollfd waited{wake, POLLIN, 0};
  std::uint64_t count = 0;
  return poll(&waited, 1, milliseconds) > 0 && read(wake, &count, sizeof count) > 0;
}

void* watching(void*) {
  Lookout lookout;
  std::uint64_t told = 0;
  const double often = limit > 0 ? std::min(1.0, limit / 4) : 1.0;
  while (!stopped.load(std::memory_order_relaxed)) {
    const bool asked = signalled(static_cast<int>(often * 1000));
    const Lookout::Waiting waiting = lookout.look(block(), now());
    if (asked) {
      run_command("0") == 0 ? void() : say_alone(waiting);
      continue;
    }
    if (limit <= 0 || !waiting.record || waiting.seconds < limit || waiting.record->stamp == told) continue;
    told = waiting.record->stamp;
    report(waiting);
  }
  return nullptr;
}

double seconds_asked() {
  const char* const text = std::getenv("TUTTI_HANG");
  if (!text || !*text) return 0;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  return end && *end == 0 && seconds > 0 ? seconds : 0;  // the table of settings complains
}

}  // namespace

void watch() {
  const char* const name = std::getenv("TUTTI_HANG_SIGNAL");
  const std::optional<int> number = name && *name ? signal_named(name) : std::nullopt;
  limit = seconds_asked();
  if ((limit <= 0 && !number) || wake >= 0) return;
  wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool begun = pthread_create(&thread, nullptr, watching, nullptr) == 0;
  if (begun) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!begun || !number) return;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(*number, &action, nullptr);
}

void stop_watching() { stopped.store(true, std::memory_order_relaxed); }

}  // namespace tutti::hang
