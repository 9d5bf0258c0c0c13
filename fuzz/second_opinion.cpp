#include "second_opinion.hpp"

#include <algorithm>

#include "native.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

constexpr int times = 6;

}  // namespace

/// Whether the library, asked again, gives what tutti gave.  Collective over the world.
bool SecondOpinion::confirmed(const Case& which, const ShmGroup& group) {
  const auto mine =
      std::ranges::find_if(suspects_, [&](const Suspect& suspect) { return suspect.which.number == which.number; });
  bool same = false;
  for (int turn = 0; turn < times; ++turn) {
    if (group.comm != MPI_COMM_NULL) {
      const Buffers before = filled(which, group.comm);
      Buffers theirs = before, through = before;
      carry_out(which, group.comm, theirs, true);
      native().Barrier(group.comm);
      carry_out(which, group.comm, through, false);
      int me;
      PMPI_Comm_rank(group.comm, &me);
      const auto agrees = [&](const Buffers& result, const Buffers& around) {
        const std::int64_t results = shape(which, group.size, me).results;
        return result.receive.difference(theirs.receive, around.receive, results).empty();
      };
      if (mine != suspects_.end()) same |= mine->left ? agrees(through, theirs) : agrees(mine->tested, before);
    }
    native().Barrier(MPI_COMM_WORLD);
  }
  return same;
}

long SecondOpinion::ask(const std::vector<ShmGroup>& groups, const Range& range, int cases) {
  std::vector<char> asked(static_cast<std::size_t>(cases));
  for (const Suspect& suspect : suspects_) asked[static_cast<std::size_t>(suspect.which.number)] = 1;
  native().Allreduce(MPI_IN_PLACE, asked.data(), cases, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  long excused = 0;
  for (int number = 0; number < cases; ++number) {
    if (!asked[static_cast<std::size_t>(number)]) continue;
    const Case which = draw(range, number, groups);
    const Watched watched(describe(which, groups[static_cast<std::size_t>(which.group)]) + ", asked again");
    if (confirmed(which, groups[static_cast<std::size_t>(which.group)]))
      excused += static_cast<long>(
          std::erase_if(suspects_, [&](const Suspect& suspect) { return suspect.which.number == number; }));
  }
  return excused;
}

}  // namespace tutti::fuzz
