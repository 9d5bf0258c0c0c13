/// The contract's rows beside what the standard says of each collective, in words of this file's own.
#include "core/contract.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "analysis/cells.hpp"
#include "analysis/meaning.hpp"

using namespace tutti;
using enum Collective;

namespace {

bool one_of(Collective which, std::initializer_list<Collective> some) {
  return std::ranges::find(some, which) != some.end();
}

/// Owners whose blocks rank `me` of three, root 1, has before the first step, and whose output holds its own data:
/// "in 0 1 2 | out 1 | own 1".
std::string begins(Collective which, Rank me) {
  const Problem problem{which, 3, 1, {}, {1}};
  const Cells cells(problem, me);
  const auto row = [&](Buffer buffer) {
    std::string text;
    for (int owner = 0; owner < cells.owners(); ++owner)
      if (cells.exists(buffer, owner)) text += " " + std::to_string(owner);
    return text;
  };
  const int own = held_before(problem, me);
  return "in" + row(Buffer::input) + " | out" + row(Buffer::output) + " | own" +
         (own < 0 ? "" : " " + std::to_string(own));
}

/// What the block of owner 2 (of the one vector: 0) holds in the end on rank `me`: "data of 2 from 1 to 2", ranks with
/// both ends.
std::string ends(Collective which, Rank me) {
  const Problem problem{which, 3, 1, {}, {1}};
  const auto held = held_after(problem, me, one_vector(which) ? 0 : 2);
  if (!held) return "anything";
  return "data of " + std::to_string(held->owner) + " from " + std::to_string(held->first) + " to " +
         std::to_string(held->end - 1);
}

struct Expected {
  Collective which;
  const char *other, *root, *last;       ///< before, on ranks 0, 1 (the root) and 2
  const char *after_other, *after_root;  ///< on ranks 2 and 1
};

const std::vector<Expected> expected = {
    {barrier, "in | out | own", "in | out | own", "in | out | own", "anything", "anything"},
    {bcast, "in | out 0 | own", "in | out 0 | own 0", "in | out 0 | own", "data of 0 from 1 to 1",
     "data of 0 from 1 to 1"},
    {gather, "in 0 | out | own", "in | out 0 1 2 | own 1", "in 2 | out | own", "anything", "data of 2 from 2 to 2"},
    {gatherv, "in 0 | out | own", "in | out 0 1 2 | own 1", "in 2 | out | own", "anything", "data of 2 from 2 to 2"},
    {scatter, "in | out 0 | own", "in 0 1 2 | out | own", "in | out 2 | own", "data of 2 from 1 to 1", "anything"},
    {scatterv, "in | out 0 | own", "in 0 1 2 | out | own", "in | out 2 | own", "data of 2 from 1 to 1", "anything"},
    {allgather, "in | out 0 1 2 | own 0", "in | out 0 1 2 | own 1", "in | out 0 1 2 | own 2", "data of 2 from 2 to 2",
     "data of 2 from 2 to 2"},
    {allgatherv, "in | out 0 1 2 | own 0", "in | out 0 1 2 | own 1", "in | out 0 1 2 | own 2", "data of 2 from 2 to 2",
     "data of 2 from 2 to 2"},
    {alltoall, "in 0 1 2 | out 0 1 2 | own 0", "in 0 1 2 | out 0 1 2 | own 1", "in 0 1 2 | out 0 1 2 | own 2",
     "data of 2 from 2 to 2", "data of 1 from 2 to 2"},
    {alltoallv, "in 0 1 2 | out 0 1 2 | own 0", "in 0 1 2 | out 0 1 2 | own 1", "in 0 1 2 | out 0 1 2 | own 2",
     "data of 2 from 2 to 2", "data of 1 from 2 to 2"},
    {alltoallw, "in 0 1 2 | out 0 1 2 | own 0", "in 0 1 2 | out 0 1 2 | own 1", "in 0 1 2 | out 0 1 2 | own 2",
     "data of 2 from 2 to 2", "data of 1 from 2 to 2"},
    {reduce, "in | out 0 | own 0", "in | out 0 | own 0", "in | out 0 | own 0", "anything", "data of 0 from 0 to 2"},
    {allreduce, "in | out 0 | own 0", "in | out 0 | own 0", "in | out 0 | own 0", "data of 0 from 0 to 2",
     "data of 0 from 0 to 2"},
    {reduce_scatter, "in 0 1 2 | out 0 | own 0", "in 0 1 2 | out 1 | own 1", "in 0 1 2 | out 2 | own 2",
     "data of 2 from 0 to 2", "data of 1 from 0 to 2"},
    {reduce_scatter_block, "in 0 1 2 | out 0 | own 0", "in 0 1 2 | out 1 | own 1", "in 0 1 2 | out 2 | own 2",
     "data of 2 from 0 to 2", "data of 1 from 0 to 2"},
    {scan, "in | out 0 | own 0", "in | out 0 | own 0", "in | out 0 | own 0", "data of 0 from 0 to 2",
     "data of 0 from 0 to 1"},
    {exscan, "in 0 | out | own", "in 0 | out 0 | own", "in 0 | out 0 | own", "data of 0 from 0 to 1",
     "data of 0 from 0 to 0"},
};

}  // namespace

TEST_CASE("a row for each collective, in the order of their names") {
  REQUIRE(expected.size() == contracts.size());
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    CHECK(contracts[i].collective == static_cast<Collective>(i));
    CHECK(expected[i].which == contracts[i].collective);
  }
}

TEST_CASE("before the first step each rank has what schedules are written for") {
  for (const Expected& row : expected) {
    CAPTURE(name(row.which));
    CHECK(begins(row.which, 0) == row.other);
    CHECK(begins(row.which, 1) == row.root);
    CHECK(begins(row.which, 2) == row.last);
  }
}

TEST_CASE("after the last step each block holds what the standard says") {
  for (const Expected& row : expected) {
    CAPTURE(name(row.which));
    CHECK(ends(row.which, 2) == row.after_other);
    CHECK(ends(row.which, 1) == row.after_root);
  }
}

TEST_CASE("who has a root, an operator, one vector, counts by rank, a block for every rank") {
  for (const Contract& row : contracts) {
    const Collective which = row.collective;
    CAPTURE(name(which));
    CHECK(rooted(which) == one_of(which, {bcast, gather, gatherv, scatter, scatterv, reduce}));
    CHECK(reduces(which) == one_of(which, {reduce, allreduce, reduce_scatter, reduce_scatter_block, scan, exscan}));
    CHECK(one_vector(which) == one_of(which, {bcast, reduce, allreduce, scan, exscan}));
    CHECK(irregular(which) == one_of(which, {gatherv, scatterv, allgatherv, alltoallv, alltoallw, reduce_scatter}));
    CHECK(all_to_all(which) == one_of(which, {alltoall, alltoallv, alltoallw}));
  }
}

TEST_CASE("where a call may be in place, and what that means") {
  for (const Contract& row : contracts) {
    const Collective which = row.collective;
    CAPTURE(name(which));
    const bool never = one_of(which, {barrier, bcast});
    CHECK((row.in_place == InPlace::never) == never);
    CHECK((row.in_place == InPlace::block_in_send) == one_of(which, {scatter, scatterv}));
    CHECK((row.in_place == InPlace::block_in_receive) == one_of(which, {gather, gatherv, allgather, allgatherv}));
    CHECK(among(row.in_place_on, 1, 1) == !never);
    CHECK(among(row.in_place_on, 2, 1) == (!never && !rooted(which)));
  }
}

TEST_CASE("what of its size all ranks know, and whether one rank's result needs all others") {
  for (const Contract& row : contracts) {
    const Collective which = row.collective;
    CAPTURE(name(which));
    CHECK((row.size == CommonSize::none) == (which == barrier));
    CHECK((row.size == CommonSize::unknown) == one_of(which, {gatherv, scatterv}));
    CHECK((row.size == CommonSize::pair) == one_of(which, {alltoallv, alltoallw}));
    CHECK((row.size == CommonSize::counts) == one_of(which, {allgatherv, reduce_scatter}));
    CHECK(row.needs_all == !(rooted(which) || which == scan || which == exscan));
  }
}
