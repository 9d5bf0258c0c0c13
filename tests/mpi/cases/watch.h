/* A program that hangs, or divides by zero, says so and ends: nobody has to wait for the launcher. */
#ifndef TUTTI_TESTS_WATCH_H
#define TUTTI_TESTS_WATCH_H

#include <signal.h>
#include <unistd.h>

static void say_and_end(int number) {
  static const char hangs[] = "WRONG: hangs\n", divides[] = "WRONG: SIGFPE\n";
  const ssize_t said = number == SIGFPE ? write(1, divides, sizeof divides - 1) : write(1, hangs, sizeof hangs - 1);
  _exit(said < 0 ? 2 : 1);
}

/* From now on, for so many seconds. */
static void watch(unsigned seconds) {
  signal(SIGALRM, say_and_end);
  signal(SIGFPE, say_and_end);
  alarm(seconds);
}

#endif
