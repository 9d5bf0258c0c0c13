#include "second_opinion.hpp"

#include <algorithm>

#include "random.hpp"

namespace tutti::fuzz {
namespace {

constexpr int times = 6;

}  // namespace

Buffers filled(const Case& which, const Team& team) {
  int me;
  PMPI_Comm_rank(team.comm, &me);
  const Datatype& type = datatypes()[static_cast<std::size_t>(which.type)];
  const Shape elements = shape(which, team.size, me);
  Buffers buffers{TypedBuffer(type, elements.send), TypedBuffer(type, elements.receive)};
  const auto stream = static_cast<std::uint64_t>(which.number) * 4096 + static_cast<std::uint64_t>(me) * 2;
  buffers.send.fill(Random(which.seed ^ 0x5EED, stream));
  buffers.receive.fill(Random(which.seed ^ 0x5EED, stream + 1));
  return buffers;
}

/// Whether the library, asked again, gives what tutti gave.  Collective over the world.
bool SecondOpinion::confirmed(const Case& which, const Team& team) {
  const auto mine =
      std::ranges::find_if(suspects_, [&](const Suspect& suspect) { return suspect.which.number == which.number; });
  bool same = false;
  for (int turn = 0; turn < times; ++turn) {
    if (team.comm != MPI_COMM_NULL) {
      const Buffers before = filled(which, team);
      Buffers native = before, through = before;
      call(which, team, native, true);
      PMPI_Barrier(team.comm);
      call(which, team, through, false);
      int me;
      PMPI_Comm_rank(team.comm, &me);
      const auto agrees = [&](const Buffers& result, const Buffers& around) {
        const std::int64_t results = shape(which, team.size, me).results;
        return result.receive.difference(native.receive, around.receive, results).empty();
      };
      if (mine != suspects_.end()) same |= mine->left ? agrees(through, native) : agrees(mine->tested, before);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  return same;
}

long SecondOpinion::ask(const std::vector<Team>& teams, const Range& range, int cases) {
  std::vector<char> asked(static_cast<std::size_t>(cases));
  for (const Suspect& suspect : suspects_) asked[static_cast<std::size_t>(suspect.which.number)] = 1;
  PMPI_Allreduce(MPI_IN_PLACE, asked.data(), cases, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  long excused = 0;
  for (int number = 0; number < cases; ++number) {
    if (!asked[static_cast<std::size_t>(number)]) continue;
    const Case which = draw(range, number, teams);
    if (confirmed(which, teams[static_cast<std::size_t>(which.team)]))
      excused += static_cast<long>(
          std::erase_if(suspects_, [&](const Suspect& suspect) { return suspect.which.number == number; }));
  }
  return excused;
}

}  // namespace tutti::fuzz
