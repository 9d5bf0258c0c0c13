#include <doctest/doctest.h>

#include <stdexcept>

#include "shm/learners.hpp"

using namespace tutti;

TEST_CASE("all, none, and any of them by commas") {
  CHECK(parse_learners("all") == Learners::all());
  CHECK(parse_learners("none") == Learners::none());
  CHECK(parse_learners("copies,stores") == Learners::none().with(Learner::stores).with(Learner::copies));
  CHECK(parse_learners("joint,joint") == Learners::none().with(Learner::joint));
  CHECK(parse_learners("stores,brief,landings,copies,joint,spread") == Learners::all());
}

TEST_CASE("every name is one learner's, and every set is written as it is read") {
  for (unsigned members = 0; members < 1U << learner_names.size(); ++members) {
    Learners learners = Learners::none();
    for (std::size_t i = 0; i < learner_names.size(); ++i)
      if ((members >> i & 1) != 0) learners = learners.with(static_cast<Learner>(i));
    CHECK(parse_learners(to_text(learners)) == learners);
  }
  CHECK(to_text(Learners::all().without(Learner::spread)) == "stores,brief,landings,copies,joint");
}

TEST_CASE("a word that is none of them is named") {
  for (const char* text : {"stores,copy", "copy", "copy,stores", "stores,copy,none"})
    CHECK_THROWS_WITH_AS(parse_learners(text), "copy", std::invalid_argument);
  CHECK_THROWS_WITH_AS(parse_learners("stores,"), "", std::invalid_argument);
  CHECK_THROWS_WITH_AS(parse_learners("stores,all"), "all", std::invalid_argument);
}
