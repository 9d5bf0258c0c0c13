#include "bench/orphan.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace tutti::bench {

namespace {

pid_t parent = 0;

/// The kernel sends it also when a *thread* of the parent ends, the one that started this process: then all is well.
void look_for_parent(int) {
  if (getppid() != parent) _exit(orphaned);
}

}  // namespace

void end_with_parent() {
  const int told = SIGRTMAX - 5;  // no launcher, and no MPI, uses it
  struct sigaction action = {};
  action.sa_handler = look_for_parent;
  action.sa_flags = SA_RESTART;
  parent = getppid();
  sigaction(told, &action, nullptr);
  sigset_t these;
  sigemptyset(&these);
  sigaddset(&these, told);
  sigprocmask(SIG_UNBLOCK, &these, nullptr);  // launchers may block signals, which their children inherit
  prctl(PR_SET_PDEATHSIG, static_cast<unsigned long>(told), 0UL, 0UL, 0UL);
  if (getppid() != parent) _exit(orphaned);  // it died in between
}

}  // namespace tutti::bench
