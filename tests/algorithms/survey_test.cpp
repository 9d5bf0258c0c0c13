#include "algorithms/survey.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <thread>

using namespace tutti;

namespace {

const Survey binomial{.sizes = {2, 3, 4}, .collective = Collective::bcast, .algorithm = "binomial", .thoroughness = {}};

}  // namespace

TEST_CASE("a survey proves what was asked for, on its own threads, and reports on the caller's") {
  for (int threads : {1, 2, 7}) {
    Survey survey = binomial;
    survey.threads = threads;
    std::set<int> told;
    const auto caller = std::this_thread::get_id();
    const SurveyResult all = verify_catalogue(survey, [&](const SurveyState& state) {
      CHECK(std::this_thread::get_id() == caller);
      if (state.algorithm == nullptr) return true;
      CHECK(state.algorithm->name == "binomial");
      told.insert(state.size);
      return true;
    });
    CHECK(told == std::set{2, 3, 4});
    CHECK(all.proved == (2 + 3 + 4) * 4);  // roots by layouts
    CHECK_FALSE(all.stopped);
    CHECK_FALSE(all.fault);
  }
}

TEST_CASE("a survey stops when told, or when the callback throws") {
  Survey survey = binomial;
  survey.sizes = std::vector<int>(1000, 30);
  const SurveyResult stopped = verify_catalogue(survey, [](const SurveyState&) { return false; });
  CHECK(stopped.stopped);
  CHECK(stopped.proved < 1000);
  CHECK_THROWS_AS(verify_catalogue(survey, [](const SurveyState&) -> bool { throw std::runtime_error("enough"); }),
                  std::runtime_error);
}

TEST_CASE("subjects cover roots, parameters, and layouts with and without empty blocks") {
  const Algorithm& chain = *find_algorithm(Collective::bcast, "pipelined_chain");
  std::set<Rank> roots;
  std::set<int> segments;
  std::set<std::int64_t> counts;
  for (const Subject& subject : subjects_of(chain, 9)) {
    roots.insert(subject.root);
    segments.insert(subject.parameters[0]);
    counts.insert(subject.counts[0]);
  }
  CHECK(roots.size() == 9);
  CHECK(segments == std::set{0, 1, 2, 3, 5, 8, 19, 32});
  CHECK(counts.contains(0));
  CHECK(*counts.rbegin() > 2 * 32);
  roots.clear();
  for (const Subject& subject : subjects_of(chain, 64)) roots.insert(subject.root);
  CHECK(roots == std::set{0, 1, 33, 63});
}

TEST_CASE("a subject has a readable name") {
  const Subject subject{find_algorithm(Collective::bcast, "pipelined_chain"), 5, 2, {{3}}, {7}};
  CHECK(to_text(subject) == "bcast pipelined_chain(3), 5 ranks, root 2, count 7");
}
