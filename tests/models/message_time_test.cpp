#include "models/message_time.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tutti;

TEST_CASE("Hockney, piece by piece") {
  const Hockney model{{{0, 1e-6, 1e-9}, {1000, 3e-6, 0.5e-9}}};
  CHECK(model.time(0) == doctest::Approx(1e-6));
  CHECK(model.time(999) == doctest::Approx(1.999e-6));
  CHECK(model.time(1000) == doctest::Approx(3.5e-6));
  CHECK(Hockney{{{100, 1e-6, 0}}}.time(1) == doctest::Approx(1e-6));
  CHECK_THROWS_AS(Hockney{}.time(1), std::invalid_argument);
}

TEST_CASE("LogGP and LogGOPS: o + s G + L + o, O on both sides, and a request with its answer") {
  const LogGp plain{10e-6, 1e-6, 2e-6, 4e-6, 1e-9};
  CHECK(plain.time(1000) == doctest::Approx(14e-6));
  CHECK(plain.interval(0) == doctest::Approx(4e-6));
  CHECK(plain.interval(1000) == doctest::Approx(5e-6));
  const LogGops more{plain, 0.5e-9, 2000};
  CHECK(more.time(1000) == doctest::Approx(15e-6));
  CHECK(more.time(2000) == doctest::Approx(15e-6 + 2e-6 + 20e-6 + 2e-6));
  CHECK(more.interval(100000) == doctest::Approx(104e-6));
  CHECK(LogGops{{1e-6, 1e-6, 1e-6, 0, 0}, 1e-9}.interval(1000) == doctest::Approx(2e-6));
}

TEST_CASE("max-rate: a node's ranks share its cards") {
  const MaxRate model{2e-6, 1e-9, 0.5e-9};
  CHECK(model.time(1000, 1) == doctest::Approx(3e-6));
  CHECK(model.time(1000, 2) == doctest::Approx(3e-6));
  CHECK(model.time(1000, 8) == doctest::Approx(6e-6));
}
