#include "variants.hpp"

#include "library.hpp"

namespace tutti::fuzz {
namespace {

const Datatype& of(int index) { return datatypes()[static_cast<std::size_t>(index)]; }

/// So many of `part` make one of `whole`; 0 where they do not.
int factor(const Datatype& whole, const Datatype& part) {
  if (whole.basic != part.basic) return 0;
  if (whole.basics == 0 || part.basics == 0) return whole.basics == part.basics ? 1 : 0;
  return whole.basics % part.basics == 0 ? whole.basics / part.basics : 0;
}

MPI_Aint extent(const Datatype& type) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type.handle, &lower, &extent);
  return extent;
}

/// MPI compares no types of reductions, but libraries choose their algorithms by contiguity and extent (MPICH and Intel
/// MPI hang where these differ), the operator must take each type, and elements must correspond.
bool fits(const Case& drawn, const Datatype& type) {
  const Datatype& own = of(drawn.type);
  const int times = factor(own, type);
  if (drawn.op < 0) return times > 0;
  return times == 1 && type.predefined == own.predefined && extent(type) == extent(own) &&
         goes(operators()[static_cast<std::size_t>(drawn.op)], type);
}

std::vector<int> one_a_rank(Random& random, const std::vector<int>& from, int ranks) {
  std::vector<int> drawn(static_cast<std::size_t>(ranks));
  for (int& each : drawn) each = from[static_cast<std::size_t>(random.below(static_cast<int>(from.size())))];
  return drawn;
}

std::vector<char> some_ranks(Random& random, int ranks, int percent) {
  std::vector<char> drawn(static_cast<std::size_t>(ranks));
  for (char& each : drawn) each = random.chance(percent);
  return drawn;
}

Variant variant(const Case& which, const std::vector<int>& types, const std::vector<char>& absolute, int me) {
  const auto rank = static_cast<std::size_t>(me);
  const Datatype& type = of(types.empty() ? which.type : types[rank]);
  return {&type, factor(of(which.type), type), !absolute.empty() && absolute[rank] != 0};
}

}  // namespace

void draw_rare_type(Random& random, Case& drawn) {
  do {
    if (reduces(drawn.collective)) drawn.op = random.below(static_cast<int>(operators().size()));
    drawn.type = random.below(static_cast<int>(datatypes().size()));
  } while (drawn.op >= 0 && !goes(operators()[static_cast<std::size_t>(drawn.op)], of(drawn.type)));
}

void vary_types(Random& random, Case& drawn, int ranks) {
  if (drawn.collective == Collective::barrier || !library_mixes(drawn.collective)) return;
  std::vector<int> fitting;
  for (int i = 0; i < static_cast<int>(datatypes().size()); ++i)
    if (fits(drawn, of(i))) fitting.push_back(i);
  if (random.chance(80)) {
    drawn.receive_types = one_a_rank(random, fitting, ranks);
    drawn.send_types = drawn.op >= 0 ? drawn.receive_types : one_a_rank(random, fitting, ranks);
  }
  if (drawn.op < 0 && random.chance(30)) {
    drawn.absolute_send = some_ranks(random, ranks, 50);
    drawn.absolute_receive = some_ranks(random, ranks, 50);
  }
}

Variant send_variant(const Case& which, int me) { return variant(which, which.send_types, which.absolute_send, me); }
Variant receive_variant(const Case& which, int me) {
  return variant(which, which.receive_types, which.absolute_receive, me);
}

MPI_Datatype at_address(void* address, MPI_Datatype type) {
  MPI_Aint lower, extent, place;
  PMPI_Type_get_extent(type, &lower, &extent);
  PMPI_Get_address(address, &place);
  MPI_Datatype there, made;
  const int length = 1;
  PMPI_Type_create_struct(1, &length, &place, &type, &there);
  PMPI_Type_create_resized(there, place + lower, extent, &made);
  PMPI_Type_commit(&made);
  PMPI_Type_free(&there);
  return made;
}

}  // namespace tutti::fuzz
