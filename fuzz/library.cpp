#include "library.hpp"

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tutti::fuzz {
namespace {

enum class Library { openmpi, intel, mpich };

Library library() {
  static const Library found = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(text, &length);
    const std::string version(text, static_cast<std::size_t>(length));
    if (version.find("Open MPI") != std::string::npos) return Library::openmpi;
    return version.find("Intel") != std::string::npos ? Library::intel : Library::mpich;
  }();
  return found;
}

struct View {
  const Case& which;
  const Datatype& type;
  int ranks;
  std::int64_t bytes;  ///< packed, of the call's whole vector where it has one
};

/// Open MPI 5.0.11, and Debian's 4.1.4.
bool openmpi_is_sound(const View& c) {
  using enum Collective;
  // 4.1.4: a scan of elements without bytes, on one rank, dies.
  if (c.type.basics == 0 && c.ranks == 1 && (c.which.collective == scan || c.which.collective == exscan)) return false;
  // 5.0.11: the ring allreduce receives data below a type's origin in front of its own memory.
  return !(c.which.collective == allreduce && c.type.name.starts_with("negative") && c.bytes > 4000);
}

/// Intel MPI 2021.18.
bool intel_is_sound(const View& c) {
  using enum Collective;
  // Data below the origin of a type: gather writes before the receive buffer, reductions corrupt the heap.
  if (c.type.name.starts_with("negative") && (reduces(c.which.collective) || c.which.collective == gather))
    return false;
  // A scatter of data named by its address (MPI_BOTTOM) dies.
  const auto any = [](const std::vector<char>& of) { return std::ranges::find(of, 1) != of.end(); };
  if (c.which.collective == scatter && (any(c.which.absolute_send) || any(c.which.absolute_receive))) return false;
  // A broadcast of non-contiguous data in pieces of 64 KiB now and then delivers wrong bytes from 65536 on.
  if (c.which.collective == bcast && !c.type.predefined && c.bytes > 65536 && c.ranks > 5) return false;
  // A reduce of non-contiguous elements, 16 KiB of them or somewhat more, leaves out what lies beyond (3 ranks or
  // more).
  if (c.which.collective == reduce && !c.type.predefined && c.bytes > 16 * 1024) return false;
  // Padded pairs in more than one piece of 16 KiB: wrong values, at times other ones in the next run.
  return !(reduces(c.which.collective) && c.type.padded && c.bytes > 12 * 1000);
}

/// MPICH 5.0.2.
bool mpich_is_sound(const View& c) {
  using enum Collective;
  if (c.type.name.starts_with("negative") && reduces(c.which.collective)) return false;  // corrupts the heap
  // The binomial gather of padded pairs: "invalid datatype" on some ranks, and the others wait for ever.
  if (c.which.collective == gather && c.type.padded) return false;
  // In place and long (pairwise exchange): the last copy overlaps itself, and an assertion ends the program.
  return !(c.which.collective == reduce_scatter && c.which.in_place && c.bytes >= 512 * 1024);
}

}  // namespace

bool library_runs_crossed(Collective collective, int root, int ahead) {
  using enum Collective;
  if (library() == Library::openmpi) return true;
  if (collective == gather || collective == scatter || collective == scatterv) return true;
  // Their bcast and reduce are trees in shared memory, which all ranks set up together at some call.
  if (library() == Library::intel) return collective == reduce && root == 0 && ahead == 1;
  return collective == gatherv;
}

bool library_mixes(Collective collective) {
  // MPICH's ring of a long allgatherv cuts its messages after so many elements of each rank's own type; Open MPI's
  // ranks choose different algorithms, and wait for ever (5.0.11, 3 ranks).  Intel MPI's allgather of k-nomial trees
  // does the former, and says at times that a message is truncated.
  return collective != Collective::allgatherv && !(collective == Collective::allgather && library() == Library::intel);
}

bool library_begins(const Case& which) {
  if (library() != Library::openmpi) return true;
  // Open MPI 5.0.11's libnbc, without tutti: it receives what it reduces in front of its own memory where data lies
  // below a type's origin (seed 11, case 473 of requests on 3 ranks: valgrind), and one of two ranks never ends its
  // alltoallw in place (seed 22, case 23 on 4 ranks).
  const bool predefined = datatypes()[static_cast<std::size_t>(which.type)].predefined;
  return reduces(which.collective) ? predefined : which.collective != Collective::alltoallw || !which.in_place;
}

bool library_requests(const Case& which) {
  // Open MPI 5.0.11's nonblocking and persistent reduce_scatters in place: wrong where the type is derived.
  const bool scatters =
      which.collective == Collective::reduce_scatter || which.collective == Collective::reduce_scatter_block;
  return !(library() == Library::openmpi && scatters && which.in_place);
}

bool library_restarts() {
  // Intel MPI 2021.18's persistent gathers and allgathers give wrong results, and corrupt the heap.  Beside these, not
  // met here: its and MPICH's Testall with active persistent collectives errs, and their Waitall waits for ever for
  // requests that were never started; Open MPI dies of a communicator freed under its nonblocking collectives.
  return library() != Library::intel;
}

bool library_buries(Collective collective) {
  // Intel MPI's own barriers and allreduces there: some ranks never leave MPI_Comm_free.
  return library() != Library::intel || collective == Collective::bcast;
}

bool library_reports(Collective collective, const Blunder& blunder) {
  // Every library's allgatherv looks at some of the receive counts alone, and dies of a wrong receive side elsewhere.
  return collective != Collective::allgatherv || !blunder.other_side;
}

bool library_is_sound(const Case& which, int ranks) {
  std::set<int> types{which.type};
  types.insert(which.send_types.begin(), which.send_types.end());
  types.insert(which.receive_types.begin(), which.receive_types.end());
  const auto elements = which.collective == Collective::reduce_scatter
                            ? std::accumulate(which.counts.begin(), which.counts.end(), std::int64_t{0})
                            : std::int64_t{which.count};
  const Datatype& own = datatypes()[static_cast<std::size_t>(which.type)];
  const std::int64_t bytes = elements * own.basics * static_cast<std::int64_t>(basic_size(own.basic));
  return std::ranges::all_of(types, [&](int index) {
    const View view{which, datatypes()[static_cast<std::size_t>(index)], ranks, bytes};
    switch (library()) {
      case Library::openmpi:
        return openmpi_is_sound(view);
      case Library::intel:
        return intel_is_sound(view);
      case Library::mpich:
        return mpich_is_sound(view);
    }
    return true;
  });
}

}  // namespace tutti::fuzz
