#include "bench/terms.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "bench/options.hpp"

using namespace tutti;
using namespace tutti::bench;

TEST_CASE("a case can have terms of its own") {
  const Case what = parse_case("allreduce(double,max,in_place):64K@last_late:2x");
  CHECK(what.collective == Collective::allreduce);
  CHECK(what.bytes == 65536);
  CHECK(what.terms.element == Element::float64);
  CHECK(what.terms.op == Operator::max);
  CHECK(what.terms.in_place);
  CHECK(what.arrival.pattern == ArrivalPattern::last_late);
  CHECK(subject_of(what) == "allreduce(double,max,in_place)");
  CHECK(subject_of(parse_case("reduce(root=3,max,int):8")) == "reduce(int,max,root=3)");
  CHECK(subject_of(parse_case("ireduce(int):8")) == "ireduce(int)");
  CHECK(parse_case("reduce(int):8") != parse_case("reduce:8"));
}

TEST_CASE("terms come before what is said of all cases") {
  Options all;
  all.element = Element::int64;
  all.op = Operator::min;
  CHECK(element_of(parse_case("reduce:8"), all) == Element::int64);
  CHECK(operator_of(parse_case("reduce:8"), all) == Operator::min);
  CHECK(element_of(parse_case("reduce(double):8"), all) == Element::float64);
  CHECK(operator_of(parse_case("reduce(double):8"), all) == Operator::min);
  CHECK(operator_of(parse_case("reduce(maxloc):8"), all) == Operator::maxloc);
  CHECK(element_of(parse_case("reduce(maxloc):8"), all) == Element::float32_at);
  CHECK(element_of(parse_case("bcast:8"), Options{}) == Element::byte);
}

TEST_CASE("terms that cannot be are named") {
  const auto refused = [](const char* text, const char* why) {
    CHECK_THROWS_WITH_AS(parse_case(text), doctest::Contains(why), std::invalid_argument);
  };
  refused("reduce(sideways):8", "'sideways'");
  refused("reduce(int,double):8", "'double' is one too many");
  refused("reduce(int:8", "lacks a )");
  refused("reduce(root=x):8", "root=x");
  refused("bcast(max):8", "no operator");
  refused("allreduce(root=1):8", "no root");
  refused("bcast(in_place):8", "no MPI_IN_PLACE");
  refused("barrier(int)", "no datatype");
  refused("pingpong(int):8", "no datatype");
}

TEST_CASE("an operator says which datatypes it takes") {
  CHECK_NOTHROW(check_defined(Operator::minloc, Element::float32_at));
  CHECK_THROWS_WITH_AS(check_defined(Operator::minloc, Element::float32),
                       "operator minloc cannot be had with datatype float: it takes 2int, float_int, double_int",
                       std::invalid_argument);
}
