/// What the node engine sees of this machine.
#include "bindings.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::bindings {

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
}

}  // namespace tutti::bindings
