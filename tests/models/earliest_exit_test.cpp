#include "models/earliest_exit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>
#include <string>

using namespace tutti;
using enum Collective;

namespace {

constexpr int ranks = 4;
constexpr Rank root = 1;
constexpr std::array<double, ranks> arrivals = {10, 30, 20, 40};
constexpr std::array<double, ranks> nothing = {0, 0, 0, 0};

using Exits = std::vector<double>;

Exits exits(Collective which) { return earliest_exits({which, ranks, root, 100}, arrivals, nothing); }

std::vector<std::int64_t> bytes(Collective which, std::int64_t elements, bool in_place = false) {
  std::vector<std::int64_t> all;
  for (Rank me = 0; me < ranks; ++me) all.push_back(own_bytes({which, ranks, root, elements, 4, in_place}, me));
  return all;
}

using Bytes = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("early reduce: whoever only gives leaves at once, the root after the last") {
  for (const Collective which : {reduce, gather, gatherv}) CHECK(exits(which) == Exits{10, 40, 20, 40});
}

TEST_CASE("late broadcast: the root leaves at once, the others when it has come too") {
  for (const Collective which : {bcast, scatter, scatterv}) CHECK(exits(which) == Exits{30, 30, 30, 40});
}

TEST_CASE("a prefix waits for the ranks before it") {
  CHECK(exits(scan) == Exits{10, 30, 30, 40});
  CHECK(exits(exscan) == Exits{10, 30, 30, 40});
}

TEST_CASE("wait at N x N: everybody waits for the last") {
  for (const Collective which : {barrier, allgather, allgatherv, alltoall, alltoallv, alltoallw, allreduce,
                                 reduce_scatter, reduce_scatter_block})
    CHECK(exits(which) == Exits{40, 40, 40, 40});
}

TEST_CASE("whoever has nothing to get waits for nobody") {
  const ExitCall empty{allgather, ranks, root, 0};
  CHECK(earliest_exits(empty, arrivals, nothing) == Exits{10, 30, 20, 40});
  const ExitCall short_one{reduce_scatter, ranks, root, 2};  // two blocks of one element, two of none
  CHECK(earliest_exits(short_one, arrivals, nothing) == Exits{40, 40, 20, 40});
}

TEST_CASE("a rank moves what it gives if it leaves early, and what it gets if it waited") {
  CHECK(bytes(barrier, 0) == Bytes{0, 0, 0, 0});
  CHECK(bytes(reduce, 10) == Bytes{40, 40, 40, 40});
  CHECK(bytes(gather, 10) == Bytes{40, 160, 40, 40});
  CHECK(bytes(bcast, 10) == Bytes{40, 40, 40, 40});
  CHECK(bytes(scatterv, 10) == Bytes{40, 160, 40, 40});
  CHECK(bytes(allgather, 10) == Bytes{160, 160, 160, 160});
  CHECK(bytes(alltoallw, 10) == Bytes{160, 160, 160, 160});
  CHECK(bytes(allreduce, 10) == Bytes{40, 40, 40, 40});
  CHECK(bytes(reduce_scatter_block, 10) == Bytes{40, 40, 40, 40});
  CHECK(bytes(reduce_scatter, 10) == Bytes{12, 12, 8, 8});
  CHECK(bytes(scan, 10) == Bytes{40, 40, 40, 40});
  CHECK(bytes(exscan, 10) == Bytes{40, 40, 40, 40});
}

TEST_CASE("a block in place stays where it is") {
  CHECK(bytes(gather, 10, true) == Bytes{40, 120, 40, 40});
  CHECK(bytes(scatter, 10, true) == Bytes{40, 120, 40, 40});
  CHECK(bytes(allgather, 10, true) == Bytes{120, 120, 120, 120});
  CHECK(bytes(alltoall, 10, true) == Bytes{120, 120, 120, 120});
  CHECK(bytes(allreduce, 10, true) == Bytes{40, 40, 40, 40});
}

TEST_CASE("copies come after what is waited for") {
  const std::array<double, ranks> copies = {1, 2, 3, 4};
  CHECK(earliest_exits({gather, ranks, root, 100}, arrivals, copies) == Exits{11, 42, 23, 44});
}

TEST_CASE("on shared CPUs ranks that waited leave one after another, those that need nobody as they come") {
  const std::array<int, ranks> one_node = {0, 0, 0, 0};
  const std::array<double, ranks> copies = {1, 1, 1, 1};
  const Crowding on_one{one_node, 1, 5};
  // Rank 3, the last, has the CPU; the others follow, each after a switch.
  CHECK(earliest_exits({allreduce, ranks, root, 1}, arrivals, copies, on_one) == Exits{47, 53, 59, 41});
  CHECK(earliest_exits({reduce, ranks, root, 1}, arrivals, copies, on_one) == Exits{11, 47, 21, 41});
  // On two CPUs the first of those that waited is running on the second one.
  CHECK(earliest_exits({allreduce, ranks, root, 1}, arrivals, copies, {one_node, 2, 5}) == Exits{41, 47, 47, 41});
  CHECK(earliest_exits({allreduce, ranks, root, 1}, arrivals, copies, {one_node, 4, 5}) == Exits{41, 41, 41, 41});
}

TEST_CASE("shared CPUs are those of a node") {
  const std::array<int, ranks> two_nodes = {0, 1, 0, 1};
  CHECK(earliest_exits({barrier, ranks, root, 0}, arrivals, nothing, {two_nodes, 1, 5}) == Exits{40, 45, 45, 40});
}

TEST_CASE("an avoidable wait is what is beyond the earliest exit, and never less than nothing") {
  CHECK(avoidable_wait(std::array{12.0, 45.0, 19.0}, std::array{10.0, 40.0, 20.0}) == 7);
}

TEST_CASE("clocks matter to whoever needs another rank's arrival") {
  CHECK(avoidable_error({reduce, ranks, root, 1}, 10, 1) == 14);
  CHECK(avoidable_error({bcast, ranks, root, 1}, 10, 1) == 34);
  CHECK(avoidable_error({barrier, ranks, root, 0}, 10, 1) == 44);
}
