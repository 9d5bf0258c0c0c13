/// What the node engine sees of this machine.
#include "bindings.hpp"
#include "node/topology.hpp"

namespace tutti::bindings {

void add_node(nb::module_& module) {
  nb::class_<node::Census>(module, "Census", "What some CPUs are divided into.")
      .def_ro("caches", &node::Census::caches, "last-level caches")
      .def_ro("memories", &node::Census::memories, "NUMA nodes")
      .def_ro("packages", &node::Census::packages)
      .def_ro("domains", &node::Census::domains,
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
        return node::census(mask);
      },
      "cpus"_a, "What the CPUs of those numbers are divided into.");
}

}  // namespace tutti::bindings
