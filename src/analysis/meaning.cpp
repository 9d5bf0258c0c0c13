#include "analysis/meaning.hpp"

namespace tutti {

int held_before(const Problem& problem, Rank me) {
  if (!among(contract(problem.collective).holds_own, me, problem.root)) return -1;
  return one_vector(problem.collective) ? 0 : me;
}

std::optional<Outcome> held_after(const Problem& problem, Rank me, int owner) {
  const Outputs& result = contract(problem.collective).result;
  if (!among(result.ranks, me, problem.root)) return std::nullopt;
  Outcome outcome{0, 0, problem.size};
  if (result.data != Outputs::Data::vector) outcome.owner = result.data == Outputs::Data::mine ? me : owner;
  switch (result.from) {
    case Outputs::From::root:
      outcome.first = problem.root, outcome.end = problem.root + 1;
      break;
    case Outputs::From::owner:
      outcome.first = owner, outcome.end = owner + 1;
      break;
    case Outputs::From::to_me:
      outcome.end = me + 1;
      break;
    case Outputs::From::before_me:
      outcome.end = me;
      break;
    case Outputs::From::all:
      break;
  }
  return outcome;
}

}  // namespace tutti
