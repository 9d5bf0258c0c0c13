#include "bench/orphan.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

using namespace tutti::bench;

namespace {

/// A child that starts a rank by `start_rank(ready, other end)`; gives what became of the rank after the child died, or
/// -1 where it lived on.  The test adopts the rank, so that it sees its status.
template <class StartRank>
int after_the_parent(StartRank start_rank) {
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) == 0);
  std::array<int, 2> told = {};
  REQUIRE(pipe(told.data()) == 0);
  const pid_t parent = fork();
  if (parent == 0) {
    start_rank(told[1]);
    pause();
    _exit(0);
  }
  pid_t rank = 0;
  REQUIRE(read(told[0], &rank, sizeof rank) == sizeof rank);
  usleep(100000);
  const bool lives = kill(rank, 0) == 0 && waitpid(rank, nullptr, WNOHANG) <= 0;
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  int status = -1;
  for (int tenths = 0; tenths < 50 && waitpid(rank, &status, WNOHANG) == 0; ++tenths) usleep(100000);
  if (status == -1) kill(rank, SIGKILL);
  close(told[0]);
  close(told[1]);
  CHECK(lives);
  return status;
}

void rank(int told) {
  if (fork() != 0) return;
  end_with_parent();
  const pid_t mine = getpid();
  if (write(told, &mine, sizeof mine) != sizeof mine) _exit(1);
  for (;;) {  // a rank that waits in an MPI library, and never looks
  }
}

}  // namespace

TEST_CASE("a rank ends when its launcher was killed, whatever it is doing") {
  const int status = after_the_parent(rank);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == orphaned);
}

TEST_CASE("the end of the launcher's thread that started it is not the launcher's") {
  const int status = after_the_parent([](int told) { std::thread(rank, told).join(); });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == orphaned);
}
