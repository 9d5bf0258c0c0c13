#include "models/node_bound.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using enum Collective;

TEST_CASE("a CPU for each rank: one flag, then the bytes") {
  CHECK(node_bound(barrier, 2, 0, 2) == NodeBound{1, 0, 0});
  CHECK(node_bound(bcast, 2, 1000, 2) == NodeBound{1, 0, 1000});
  CHECK(node_bound(bcast, 8, 1000, 16) == NodeBound{1, 0, 1000});
  CHECK(node_bound(allgather, 2, 1000, 2) == NodeBound{1, 0, 2000});  // its own block too
  CHECK(node_bound(alltoallv, 4, 10, 4) == NodeBound{1, 0, 40});
  CHECK(node_bound(gather, 8, 10, 8) == NodeBound{1, 0, 80});
  CHECK(node_bound(scatter, 8, 10, 8) == NodeBound{1, 0, 10});
}

TEST_CASE("reductions share their work") {
  CHECK(node_bound(reduce, 8, 1000, 8).copied == 1000);
  CHECK(node_bound(allreduce, 2, 1000, 2).copied == 1000);
  CHECK(node_bound(allreduce, 8, 1000, 8).copied == 1750);
  CHECK(node_bound(reduce_scatter_block, 8, 10, 8).copied == 70);
  CHECK(node_bound(reduce_scatter, 8, 80, 8).copied == 70);
  CHECK(node_bound(reduce_scatter, 3, 10, 3).copied == 7);
  CHECK(node_bound(scan, 4, 1000, 4).copied == 1000);
  CHECK(node_bound(exscan, 2, 1000, 2).copied == 1000);
}

TEST_CASE("more ranks than CPUs switch where all wait for all, and share the CPUs") {
  CHECK(node_bound(barrier, 8, 0, 2) == NodeBound{0, 3, 0});
  CHECK(node_bound(barrier, 3, 0, 2) == NodeBound{0, 1, 0});
  CHECK(node_bound(allgather, 8, 10, 2) == NodeBound{0, 3, 320});
  CHECK(node_bound(allreduce, 8, 1000, 1) == NodeBound{0, 7, 14000});
}

TEST_CASE("more ranks than CPUs, and ranks that may leave early: their own bytes alone") {
  CHECK(node_bound(bcast, 8, 1000, 2) == NodeBound{0, 0, 1000});
  CHECK(node_bound(gatherv, 8, 1000, 2) == NodeBound{0, 0, 8000});
  CHECK(node_bound(scan, 8, 1000, 2) == NodeBound{0, 0, 1000});
}

TEST_CASE("one rank does nothing") {
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    CHECK(node_bound(static_cast<Collective>(i), 1, 5, 1) == NodeBound{});
}
