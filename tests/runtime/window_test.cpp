/// Which steps may start.
#include "runtime/wire/window.hpp"

#include <doctest/doctest.h>

using namespace tutti::runtime;

TEST_CASE("a step is ready when all that it waits for has ended or been created over") {
  Window window;
  window.admit(0, true, 0, 0);
  window.admit(1, true, 0, bit(0));
  window.admit(2, false, bit(0) | bit(1), 0);
  CHECK(window.ready_messages() == bit(0));
  window.start(0), window.issue(0);
  CHECK(window.ready_messages() == bit(1));
  window.start(1), window.issue(1), window.end(1);
  CHECK(window.ready_locals() == 0);
  window.end(0);
  CHECK(window.ready_locals() == bit(2));
  CHECK(window.incomplete() == bit(2));
}

TEST_CASE("steps that have ended are not waited for, nor who had the place before") {
  Window window;
  window.admit(0, true, 0, 0);
  window.start(0), window.issue(0), window.end(0);
  window.admit(1, false, bit(0), 0);
  CHECK(window.ready_locals() == bit(1));
  window.start(1), window.end(1);
  window.admit(0, false, bit(1), 0);
  CHECK(window.ready_messages() == 0);
  CHECK(window.ready_locals() == bit(0));
}
