#include "watch.hpp"

#include <mpi.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "native.hpp"

namespace tutti::fuzz {
namespace {

char current[2000];              ///< the case that is under way, empty between cases
char inner[1000];                ///< which of its calls
const char* volatile step = "";  ///< where in it
int world_rank, patience_seconds;
std::vector<long> siblings;  ///< process ids of the other ranks of this node

void say(const char* text) {
  if (write(2, text, std::strlen(text)) < 0) _exit(4);
}

void say_where(const char* before) {
  char line[sizeof current + sizeof inner + 200];
  std::snprintf(line, sizeof line, "%s%s%s%s, in %s (tutti_fuzz, rank %d)\n", before,
                current[0] ? current : "nothing, between cases", inner[0] ? ", at its " : "", inner, step, world_rank);
  say(line);
}

/// Another rank waits too long and wants to know.
void asked(int /*signal*/) { say_where("  meanwhile: "); }

/// A case without an end, or one that died: say which, since the launcher tells the signal alone.
void died(int signal) {
  say_where(signal == SIGALRM ? "no end of " : "died in ");
  if (signal == SIGALRM) {
    for (const long process : siblings) kill(static_cast<pid_t>(process), SIGUSR1);
    const timespec second{1, 0};
    nanosleep(&second, nullptr);  // till they have said it
  }
  _exit(3);
}

/// An MPI library that aborts on its own ends the program by exit().
void ended() {
  if (current[0]) say_where("the MPI library ended the program in ");
}

struct Process {
  long id, space;  ///< process ids mean the same in one space
};

long space() {
  char host[256] = "";
  struct stat file {};
  if (gethostname(host, sizeof host - 1) != 0 || stat("/proc/self/ns/pid", &file) != 0) return getpid();
  return static_cast<long>(std::hash<std::string>{}(host) ^ file.st_ino);
}

}  // namespace

void begin_watch(int patience) {
  int ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  patience_seconds = patience;
  const Process mine{getpid(), space()};
  std::vector<Process> all(static_cast<std::size_t>(ranks));
  native().Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  for (const Process& each : all)
    if (each.space == mine.space && each.id != mine.id) siblings.push_back(each.id);
  std::signal(SIGUSR1, asked);
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, died);
  std::atexit(ended);
}

Watched::Watched(const std::string& what) {
  std::snprintf(current, sizeof current, "%s", what.c_str());
  inner[0] = 0;
  step = "the beginning";
  alarm(static_cast<unsigned>(patience_seconds));
}

Watched::~Watched() {
  alarm(0);
  current[0] = 0;
}

void stage(const char* what) { step = what; }

void within(const std::string& call) { std::snprintf(inner, sizeof inner, "%s", call.c_str()); }

}  // namespace tutti::fuzz
