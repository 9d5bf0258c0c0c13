/// Which calls may make all ranks wait for one another.
#include "runtime/communicator/synchronising.hpp"

#include <doctest/doctest.h>

#include <array>

namespace tutti::runtime {
namespace {

using enum Collective;

/// A call of that collective with so many elements of no type, which are without bytes.
Operation call(Collective which, std::int64_t count = 1) {
  Operation made{.collective = which};
  made.send.count = made.receive.count = count;
  return made;
}

Operation irregular(Collective which, const std::array<int, 3>& counts) {
  Operation made{.collective = which};
  made.receive.counts = CountView(counts.data());
  return made;
}

TEST_CASE("a barrier makes all wait, whatever stands in it") { CHECK(synchronises(call(barrier, 0), 3)); }

TEST_CASE("rooted calls, scans, and exchanges whose blocks two ranks alone know wait for no more than they need") {
  for (const Collective which : {bcast, gather, gatherv, scatter, scatterv, reduce, scan, exscan, alltoallv, alltoallw})
    CHECK_FALSE(synchronises(call(which, 1000), 3));
}

TEST_CASE("reductions to everybody wait for all where there is something to reduce") {
  for (const Collective which : {allreduce, reduce_scatter_block}) {
    CHECK(synchronises(call(which, 1), 3));
    CHECK_FALSE(synchronises(call(which, 0), 3));
  }
}

TEST_CASE("a reduce_scatter waits for all where each rank gets something") {
  CHECK(synchronises(irregular(reduce_scatter, {1, 2, 1}), 3));
  CHECK_FALSE(synchronises(irregular(reduce_scatter, {1, 0, 1}), 3));
}

TEST_CASE("blocks without bytes are no reason to wait") {
  for (const Collective which : {allgather, alltoall}) {
    CHECK_FALSE(synchronises(call(which, 5), 3));
    CHECK_FALSE(synchronises(call(which, 0), 3));
  }
  CHECK_FALSE(synchronises(irregular(allgatherv, {1, 1, 1}), 3));
}

}  // namespace
}  // namespace tutti::runtime
