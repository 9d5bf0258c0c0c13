/// The table of variants, and which of them serves a call.
#include "shm/variants/variants.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "core/borders.hpp"
#include "each_variant.hpp"
#include "shm/group.hpp"

namespace tutti::shm::test {
namespace {

using enum Collective;

VariantLayout nodes_of(int members) { return usual_layout(members, false); }

TEST_CASE("variants: names are unique for each collective, and one of each is always possible") {
  std::map<Collective, std::set<std::string_view>> names;
  each_variant([&](Collective which, const VariantRow& row) {
    CHECK_MESSAGE(names[which].insert(row.name).second, name(which) << " " << row.name);
    CHECK(find_variant(which, row.name) == &row);
    CHECK(find_variant(which, row.variant) == &row);
    CHECK(name_of(row.variant) == row.name);
    CHECK_MESSAGE(row.because.empty() == (row.unasked == Unasked::never), row.name);
  });
  CHECK(names.size() == collective_names.size());
  for (const auto& [which, all] : names) {
    bool always = false;
    for (const VariantRow& row : variants())
      always = always || (row.serves(which) && row.unasked == Unasked::always && needs(row.limits).empty() &&
                          row.limits.least_bytes == 0);
    CHECK_MESSAGE(always, name(which));
  }
}

TEST_CASE("variants: what is taken unasked follows from length, members and CPUs") {
  const auto allreduce_of = [](std::size_t bytes, const VariantLayout& layout, const Borders& borders = {}) {
    return name_of(settle({Collective::allreduce, bytes, 8}, layout, borders));
  };
  CHECK(allreduce_of(0, nodes_of(8)) == "slots");
  CHECK(allreduce_of(8, nodes_of(8)) == "line");
  CHECK(allreduce_of(48, nodes_of(8)) == "line");
  CHECK(allreduce_of(56, nodes_of(8)) == "slots");
  CHECK(allreduce_of(1328, nodes_of(8)) == "slots");  // 6 x 1328 < 8000
  CHECK(allreduce_of(1336, nodes_of(8)) == "striped");
  CHECK(allreduce_of(1 << 20, nodes_of(2)) == "slots");
  CHECK(allreduce_of(1 << 20, nodes_of(2), {.by_clock = 1 << 14}) == "clock");
  CHECK(allreduce_of(1 << 20, nodes_of(2), {.single_copy = 1 << 14}) == "one_copy");
  CHECK(allreduce_of(1 << 20, nodes_of(8), {.single_copy = 1 << 14}) == "striped");
  CHECK(allreduce_of(8, usual_layout(32, true)) == "tree");
  const auto reduce_of = [](std::size_t bytes, const VariantLayout& layout) {
    return name_of(settle({Collective::reduce, bytes, 8}, layout, {}));
  };
  CHECK(reduce_of(borders::waits_for_nobody - 8, nodes_of(8)) == "slots");
  CHECK(reduce_of(borders::waits_for_nobody, nodes_of(8)) == "striped");
  VariantLayout crowded = nodes_of(8);
  crowded.oversubscribed = true;
  CHECK(reduce_of(1 << 20, crowded) == "slots");
  CHECK(name_of(settle({exscan, 1 << 16, 8}, nodes_of(3), {})) == "chain");
  CHECK(name_of(settle({exscan, 1 << 16, 8}, nodes_of(2), {})) == "slots");
  CHECK(name_of(settle({reduce_scatter_block, 1 << 14, 8, 1 << 12}, nodes_of(4), {})) == "packed");
  CHECK(name_of(settle({reduce_scatter_block, 1 << 20, 8, 1 << 18}, nodes_of(4), {})) == "slots");
}

TEST_CASE("variants: movements take the copies that the borders say") {
  const Borders once{.single_copy = 1000}, clock{.by_clock = 1000};
  const auto of = [](Collective which, std::size_t bytes, int members, const Borders& borders) {
    return name_of(settle({which, bytes}, nodes_of(members), borders));
  };
  for (const Collective which : {bcast, allgather, gather, scatter, alltoall}) {
    CHECK(of(which, 1000, 8, once) == "one_copy");
    CHECK(of(which, 1000, 2, clock) == "clock");
  }
  for (const Collective which : {gather, scatter, alltoall}) {
    CHECK(of(which, 999, 2, once) == "rings");
    CHECK(of(which, 1000, 8, clock) == "clock");
  }
  CHECK(of(bcast, 1000, 8, clock) == "slots");
  CHECK(of(bcast, 1000, 8, asking(Variant::rings)) == "rings");
  CHECK(of(gatherv, VariantCall::unknown, 8, {}) == "rings");
  CHECK(of(gatherv, VariantCall::unknown, 8, once) == "");
  CHECK(of(gatherv, VariantCall::unknown, 8, asking(Variant::one_copy)) == "one_copy");
}

TEST_CASE("variants: what is not possible says why, and another one serves") {
  const auto why = [](Collective which, Variant variant, std::size_t bytes, const VariantLayout& layout) {
    const VariantCall call{which, bytes, 8, bytes};
    const Borders borders = asking(variant);
    const std::string_view reason = obstacle(*find_variant(which, variant), call, layout, borders);
    CHECK((settle(call, layout, borders) == variant) == reason.empty());
    return std::string(reason);
  };
  CHECK(why(Collective::allreduce, Variant::tree, 8, nodes_of(8)) == "the ranks are in one domain");
  CHECK(why(Collective::allreduce, Variant::line, 56, nodes_of(8)) ==
        "the data is longer than the line that announces it");
  CHECK(why(Collective::allreduce, Variant::one_copy, 56, nodes_of(8)) == "it is of two ranks");
  CHECK(why(Collective::allreduce, Variant::striped, 0, nodes_of(8)) == "nothing is moved");
  CHECK(why(allgather, Variant::tree, 1 << 15, usual_layout(8, true)) == "the data of all ranks is longer than a slot");
  CHECK(why(Collective::reduce_scatter, Variant::packed, 1 << 16, nodes_of(8)) ==
        "the blocks are longer than a slot together");
  VariantLayout apart = nodes_of(8);
  apart.single_copy = false;
  CHECK(why(bcast, Variant::one_copy, 56, apart) == "ranks cannot read each other's memory");
  CHECK(why(bcast, Variant::rings, 56, nodes_of(8)).empty());
  CHECK(why(Collective::allreduce, Variant::elements, 56, nodes_of(8)).empty());
}

}  // namespace
}  // namespace tutti::shm::test
