/// The table of variants.
#include "shm/variants/variants.hpp"

#include <algorithm>
#include <array>

#include "shm/sync/slots.hpp"

namespace tutti::shm {
namespace {

using enum Collective;
using enum Variant;
using Room = VariantLimits::Room;

template <typename... Which>
constexpr std::uint32_t of(Which... which) {
  return ((std::uint32_t{1} << static_cast<unsigned>(which)) | ...);
}

constexpr auto from_one = of(bcast), to_one = of(gather, gatherv), out_of_one = of(scatter, scatterv),
               to_all = of(allgather, allgatherv), among_all = of(alltoall, alltoallv, alltoallw),
               reductions = of(reduce, allreduce), scattered = of(reduce_scatter, reduce_scatter_block),
               scans = of(scan, exscan);

constexpr VariantLimits none{}, some{.least_bytes = 1}, domains{.domains = true},
    row{.room = Room::row, .least_bytes = 1, .domains = true}, copied{.least_bytes = 1, .single_copy = true},
    copied_by_two{.least_members = 2, .most_members = 2, .least_bytes = 1, .single_copy = true},
    in_line{.least_bytes = 1, .most_bytes = Slots::line_bytes}, element{.room = Room::element},
    elements_of_some{.room = Room::element, .least_members = 2, .least_bytes = 1}, together{.room = Room::call},
    piece{.room = Room::piece, .least_bytes = 1};

constexpr std::string_view by_rule = "blocks of single_copy bytes and more", by_two = "with copy=clock, of two ranks",
                           along = "where the node has several domains",
                           fitting = "where the node has several domains, and a slot holds the data of all ranks",
                           never = "never", otherwise = "else";

constexpr std::string_view
    counted = "counted: one synchronisation, and no other variant has fewer",
    counted_tree =
        "counted: each line crosses a border once, where every rank fetched it across; no machine with "
        "several domains was at hand",
    as_rule = "each rule that names single_copy has its measurement (default.toml)",
    as_clock =
        "between two cores of a mesh one copy of 64 KiB to 1 MiB takes 0.4 to 0.6 of the time of two where "
        "caches hold the buffers, and 0.8 to 1.5 of it where they do not: the clock finds out which",
    as_pair =
        "between two cores of a mesh 64 to 256 KiB take 0.6 to 0.9 of the time of slots so where caches hold the "
        "buffers, and 1.0 to 1.8 of it where they do not: the clock finds out which",
    long_elements = "nothing else carries elements that no slot holds";

// clang-format off
/// Variant, name, collectives, limits, preference; what it does, cost, when it is taken unasked, because of what.
constexpr std::array table{
    VariantRow{tree, "tree", of(barrier), domains, Unasked::always,
     "ranks to the leader of their domain, leaders to one another, leaders to their ranks", "3s", along, counted_tree},
    VariantRow{slots, "slots", of(barrier), none, Unasked::always,
     "every rank posts, and waits for all", "s", otherwise, counted},

    VariantRow{one_copy, "one_copy", from_one, copied, Unasked::by_size,
     "every rank copies from the root's memory", "2s + mβ", by_rule, as_rule},
    VariantRow{clock, "clock", from_one, copied_by_two, Unasked::by_clock,
     "one_copy or rings, as the clock has found cheaper", "the less of both", by_two, as_clock},
    VariantRow{tree, "tree", from_one, domains, Unasked::always,
     "chunk by chunk through slots: leaders from the root, ranks from their leader", "2s + 3mβ", along, counted_tree},
    VariantRow{slots, "slots", from_one, none, Unasked::always,
     "the root writes chunk after chunk into its slots, all ranks read them", "s + 2mβ", otherwise, counted},
    VariantRow{rings, "rings", from_one, some, Unasked::never,
     "the root writes a copy for each rank, into its slot or down its ring", "s + pmβ", never, ""},

    VariantRow{one_copy, "one_copy", to_one, copied, Unasked::by_size,
     "the root and the owners of blocks copy into the root's memory together", "2s + m/p β", by_rule, as_rule},
    VariantRow{clock, "clock", to_one, copied, Unasked::by_clock,
     "one_copy or rings, as each block's writer has found cheaper", "the less of both", "with copy=clock", as_clock},
    VariantRow{rings, "rings", to_one, none, Unasked::always,
     "each rank writes its block into its slot or down its ring, the root reads them all", "s + mβ", otherwise, counted},

    VariantRow{one_copy, "one_copy", out_of_one, copied, Unasked::by_size,
     "every rank copies its block from the root's memory, with the root's help where each has a CPU", "2s + m/p β", by_rule, as_rule},
    VariantRow{clock, "clock", out_of_one, copied, Unasked::by_clock,
     "one_copy or rings, as the root has found cheaper", "the less of both", "with copy=clock", as_clock},
    VariantRow{rings, "rings", out_of_one, none, Unasked::always,
     "the root writes all blocks into its slots or down its ring", "s + mβ", otherwise, counted},

    VariantRow{one_copy, "one_copy", to_all, copied, Unasked::by_size,
     "every rank copies the others' blocks from their memory", "2s + (p-1)/p mβ", by_rule, as_rule},
    VariantRow{clock, "clock", to_all, copied_by_two, Unasked::by_clock,
     "one_copy or rings, as the clock has found cheaper", "the less of both", by_two, as_clock},
    VariantRow{tree, "tree", of(allgather), row, Unasked::always,
     "leaders pack their domain's blocks, exchange the packages, and hand all to their ranks", "3s + 3mβ", fitting,
     counted_tree},
    VariantRow{slots, "slots", to_all, none, Unasked::always,
     "every rank writes its block into its slots once, all read them", "s + mβ", otherwise, counted},
    VariantRow{rings, "rings", to_all, none, Unasked::never,
     "every rank writes a copy of its block for each other, into its slot or down its ring", "s + 2(p-1)/p mβ", never, ""},

    VariantRow{one_copy, "one_copy", among_all, copied, Unasked::by_size,
     "every rank copies its blocks from the others' memory", "2s + (p-1)/p mβ", by_rule, as_rule},
    VariantRow{clock, "clock", among_all, copied, Unasked::by_clock,
     "one_copy or rings, as ranks have found cheaper together", "the less of both", "with copy=clock", as_clock},
    VariantRow{rings, "rings", among_all, none, Unasked::always,
     "every rank writes its blocks into its slot or down its ring, and reads its own from the others'", "s + 2(p-1)/p mβ",
     otherwise, counted},

    VariantRow{one_copy, "one_copy", reductions, copied_by_two, Unasked::by_size,
     "each reader copies the other rank's contribution from its memory, and combines", "2s + mβ + mγ", by_rule, as_rule},
    VariantRow{clock, "clock", reductions, copied_by_two, Unasked::by_clock,
     "one_copy or slots, as the root, else rank 0, has found cheaper", "s more than the less of both", by_two, as_pair},
    VariantRow{tree, "tree", reductions, row, Unasked::always,
     "leaders collect their domain's contributions and exchange them; readers combine all in rank order",
     "3s + 3pmβ + (p-1)mγ", fitting, counted_tree},
    VariantRow{line, "line", reductions, in_line, Unasked::always,
     "contributions travel in the cache line that announces them; readers combine all", "s + (p-1)mγ",
     "up to 48 bytes", counted},
    VariantRow{striped, "striped", reductions, elements_of_some, Unasked::shared,
     "each rank combines its share of every chunk for all, readers collect the shares", "2s + 2mβ + mγ",
     "where it spares each rank the combining of what it could combine in one synchronisation",
     "measured on two cores: a synchronisation takes 0.4 us with a CPU for each rank, else a context switch of 1.3 us "
     "for each rank that shares the CPU; a rank combines about 20 bytes a nanosecond"},
    VariantRow{slots, "slots", reductions, element, Unasked::always,
     "contributions go through slots chunk by chunk; each reader combines all", "s + mβ + (p-1)mγ", otherwise, counted},
    VariantRow{elements, "elements", reductions, none, Unasked::always,
     "element after element, every rank's to all", "nps + 2pmβ + (p-1)mγ, n elements", "elements longer than a slot",
     long_elements},

    VariantRow{one_copy, "one_copy", scattered, copied_by_two, Unasked::by_size,
     "each rank copies its part of the other's contribution from its memory, and combines", "2s + m/2 β + m/2 γ",
     by_rule, as_rule},
    VariantRow{clock, "clock", scattered, copied_by_two, Unasked::by_clock,
     "one_copy or slots, as rank 0 has found cheaper", "s more than the less of both", by_two, as_pair},
    VariantRow{packed, "packed", scattered, together, Unasked::always,
     "all blocks in one turn of the slots; each rank combines its own", "s + mβ + (p-1)/p mγ",
     "where all blocks fit a slot", counted},
    VariantRow{slots, "slots", scattered, piece, Unasked::always,
     "blocks go through slots piece by piece; each rank combines its own", "s + mβ + (p-1)/p mγ", otherwise, counted},
    VariantRow{blocks, "blocks", scattered, none, Unasked::always,
     "a reduce to each rank, one after the other", "ps + mβ + (p-1)/p mγ", "elements longer than slots hold", long_elements},

    VariantRow{chain, "chain", scans, elements_of_some, Unasked::chained,
     "rows go through the ranks in c pieces, each adds its own: nothing is combined twice",
     "(p-1 + c)(s + m/c (β + γ))", "from 64 KiB on, of three and more ranks",
     "with 4 to 16 ranks on 2 CPUs 1.1 to 1.2 times as fast as slots at 64 KiB, 1.7 to 1.9 times at 1 MiB"},
    VariantRow{slots, "slots", scans, element, Unasked::always,
     "contributions go through slots chunk by chunk; each rank combines those before its own", "s + mβ + (p-1)mγ",
     otherwise, counted},
    VariantRow{elements, "elements", scans, none, Unasked::always,
     "element after element, every rank's to all", "nps + 2pmβ + (p-1)mγ, n elements", "elements longer than a slot",
     long_elements},
};
// clang-format on

struct Part {
  std::size_t first, count;
};

constexpr std::array<Part, collective_names.size()> parts = [] {
  std::array<Part, collective_names.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto serves = [&](const VariantRow& each) { return each.serves(static_cast<Collective>(i)); };
    const auto first = std::find_if(table.begin(), table.end(), serves);
    const auto last = std::find_if(table.rbegin(), table.rend(), serves).base();
    all[i] = {static_cast<std::size_t>(first - table.begin()), static_cast<std::size_t>(last - first)};
  }
  return all;
}();

}  // namespace

std::span<const VariantRow> variants() { return table; }

std::span<const VariantRow> variants_about(Collective collective) {
  const Part& part = parts[static_cast<std::size_t>(collective)];
  return variants().subspan(part.first, part.count);
}

namespace {

template <typename Wanted>
const VariantRow* find(Collective collective, Wanted wanted) {
  for (const VariantRow& each : variants_about(collective))
    if (each.serves(collective) && wanted(each)) return &each;
  return nullptr;
}

}  // namespace

const VariantRow* find_variant(Collective collective, Variant variant) {
  return find(collective, [&](const VariantRow& each) { return each.variant == variant; });
}

const VariantRow* find_variant(Collective collective, std::string_view name) {
  return find(collective, [&](const VariantRow& each) { return each.name == name; });
}

std::string_view name_of(Variant variant) {
  const auto found = std::ranges::find(table, variant, &VariantRow::variant);
  return found != table.end() ? found->name : "";
}

std::string needs(const VariantLimits& limits) {
  std::string all;
  const auto add = [&](bool asked, std::string_view what) {
    if (asked) all += (all.empty() ? "" : ", ") + std::string(what);
  };
  add(limits.most_members == 2, "two ranks");
  add(limits.domains, "several domains");
  add(limits.single_copy, "memory that ranks may read");
  add(limits.most_bytes != VariantCall::unknown, "at most " + std::to_string(limits.most_bytes) + " bytes");
  add(limits.room == Room::element, "elements that fit a slot");
  add(limits.room == Room::call, "blocks that fit a slot together");
  add(limits.room == Room::row, "data of all ranks that fits a slot");
  add(limits.room == Room::piece, "an element of each block that fits a slot");
  return all;
}

}  // namespace tutti::shm
