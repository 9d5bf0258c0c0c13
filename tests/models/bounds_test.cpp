#include "models/bounds.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using enum Collective;

namespace {

Cost bound(Collective collective, int size, std::vector<std::int64_t> counts, Rank root = 0, int ports = 1) {
  return lower_bound({collective, size, root, {}, std::move(counts), true}, ports);
}

}  // namespace

TEST_CASE("one vector") {
  CHECK(bound(barrier, 9, {0}) == Cost{4, 0, 0, 0});
  CHECK(bound(bcast, 8, {1000}) == Cost{3, 1000, 0, 0});
  CHECK(bound(reduce, 8, {1000}) == Cost{3, 1000, 875, 0});
  CHECK(bound(allreduce, 8, {1000}) == Cost{3, 1750, 875, 0});
  CHECK(bound(allreduce, 3, {10}) == Cost{2, 14, 7, 0});  // 13.3 and 6.7, rounded up
  CHECK(bound(scan, 8, {1000}) == Cost{3, 1000, 875, 0});
  CHECK(bound(exscan, 9, {900}) == Cost{4, 900, 700, 0});
  CHECK(bound(exscan, 2, {900}) == Cost{1, 900, 0, 0});
}

TEST_CASE("blocks") {
  for (const Collective which : {gather, scatter, allgather, alltoall})
    CHECK(bound(which, 8, {10}, 3) == Cost{3, 70, 0, 0});
  CHECK(bound(reduce_scatter_block, 8, {10}) == Cost{3, 70, 70, 0});
  CHECK(bound(gatherv, 4, {1, 2, 3, 4}, 2) == Cost{2, 7, 0, 0});
  CHECK(bound(scatterv, 4, {1, 2, 3, 4}, 3) == Cost{2, 6, 0, 0});
  CHECK(bound(allgatherv, 4, {1, 2, 0, 4}) == Cost{2, 7, 0, 0});
  CHECK(bound(reduce_scatter, 4, {1, 2, 1, 4}) == Cost{2, 7, 6, 0});
}

TEST_CASE("alltoallv goes straight: a message for each partner") {
  CHECK(bound(alltoallv, 3, {9, 1, 2, 0, 9, 0, 4, 5, 9}) == Cost{2, 9, 0, 0});  // rank 2 sends 4 + 5
  CHECK(bound(alltoallw, 5, {2}) == Cost{4, 8, 0, 0});
  CHECK(bound(alltoallv, 5, {2}, 0, 2) == Cost{2, 4, 0, 0});
}

TEST_CASE("k ports spread to k + 1 times as many, and carry k times as much") {
  CHECK(bound(bcast, 64, {90}, 0, 3) == Cost{3, 30, 0, 0});
  CHECK(bound(bcast, 65, {90}, 0, 3).rounds == 4);
  CHECK(bound(allreduce, 64, {640}, 0, 2).reduced == 630);
}

TEST_CASE("one rank does nothing") {
  for (std::size_t i = 0; i < collective_names.size(); ++i) CHECK(bound(static_cast<Collective>(i), 1, {5}) == Cost{});
}
