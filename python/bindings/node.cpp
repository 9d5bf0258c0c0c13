/// What the node engine sees of this machine, and its variants.
#include "bindings.hpp"
#include "core/contract.hpp"
#include "selection/choice.hpp"
#include "shm/sync/topology.hpp"
#include "shm/variants/variants.hpp"

namespace tutti::bindings {
namespace {

nb::list variant_rows() {
  nb::list all;
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    for (const shm::VariantRow& row : shm::variants()) {
      if (!row.serves(static_cast<Collective>(i))) continue;
      nb::dict found;
      found["collective"] = collective_names[i], found["variant"] = row.name;
      found["needs"] = shm::needs(row.limits), found["cost"] = row.cost, found["what"] = row.what;
      found["when"] = row.when, found["because"] = row.because;
      all.append(found);
    }
  return all;
}

/// Of a call as users know it: their size is that of one block where blocks are per peer.
shm::VariantCall variant_call(Collective which, std::int64_t bytes, int ranks) {
  const Contract& rules = contract(which);
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)), all = static_cast<std::size_t>(ranks);
  constexpr std::size_t unit = nominal_element;
  if (which == Collective::reduce_scatter) return {which, size, unit, (size + all - 1) / all};
  if (which == Collective::reduce_scatter_block) return {which, size * all, unit, size};
  const bool unknown = rules.size == CommonSize::unknown || rules.size == CommonSize::pair;
  return {which, unknown ? shm::VariantCall::unknown : size, rules.reduces ? unit : 1};
}

/// The variant's name, and why the one that the choice names cannot serve; empty where nothing is to say.
nb::tuple variant_of(const Choice& choice, Collective which, std::int64_t bytes, int ranks, bool domains) {
  if (choice.kind != Choice::Kind::node) return nb::make_tuple("", "");
  const shm::VariantCall call = variant_call(which, bytes, ranks);
  const shm::VariantLayout layout = shm::usual_layout(ranks, domains);
  const shm::Borders borders{.single_copy = choice.single_copy, .by_clock = choice.by_clock, .asked = choice.variant};
  const shm::VariantRow* const asked = shm::find_variant(which, choice.variant);
  const std::string_view why = asked ? shm::obstacle(*asked, call, layout, borders) : "";
  return nb::make_tuple(shm::name_of(shm::settle(call, layout, borders)), why);
}

}  // namespace

void add_node(nb::module_& module) {
  nb::class_<shm::Census>(module, "Census", "What some CPUs are divided into.")
      .def_ro("caches", &shm::Census::caches, "last-level caches")
      .def_ro("memories", &shm::Census::memories, "NUMA nodes")
      .def_ro("packages", &shm::Census::packages)
      .def_ro("domains", &shm::Census::domains,
              "that the node engine's collectives would follow with a rank on each CPU; 0: none");
  module.def(
      "census",
      [](const std::vector<int>& cpus) {
        std::vector<std::uint64_t> mask;
        for (const int cpu : cpus) {
          const auto place = static_cast<std::size_t>(cpu);
          if (mask.size() <= place / 64) mask.resize(place / 64 + 1);
          mask[place / 64] |= std::uint64_t{1} << place % 64;
        }
        return shm::census(mask);
      },
      "cpus"_a, "What the CPUs of those numbers are divided into.");
  module.def("variants", &variant_rows,
             "The node engine's variants, by collective: name, needs, cost, what each does, when it is taken unasked, "
             "and because of what.");
  module.def(
      "variant_of",
      [](const Choice& choice, std::string_view which, std::int64_t bytes, int ranks, bool domains) {
        return variant_of(choice, collective(which), bytes, ranks, domains);
      },
      "choice"_a, "collective"_a, "bytes"_a, "ranks"_a, "domains"_a = false,
      "(the node engine's variant for that call, why the one that the choice names cannot serve), each '' where there "
      "is nothing to say.  With a CPU for each rank, slots of 32 KiB, elements of 8 bytes, and blocks of v-forms "
      "equal.");
}

}  // namespace tutti::bindings
