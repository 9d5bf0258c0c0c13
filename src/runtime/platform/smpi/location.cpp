/// All simulated ranks run in one process on one kernel: where they are is what the platform file says.
#include "runtime/platform/location.hpp"

#include <array>
#include <limits>
#include <string>

#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

/// Of the simulated host, which has a name of its own.
std::uint64_t node_identity() {
  static const std::uint64_t identity = [] {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    int length = 0;
    pmpi.Get_processor_name(host.data(), &length);
    return fingerprint(std::string("simulated host ") + host.data() + pretended_node());
  }();
  return identity;
}

int ranks_by_launcher() { return 1; }

/// Waiting simulated ranks take no time from each other: there are always enough CPUs.
CpuMask cpus_here() { return {}; }
int cpus_in(const CpuMask&) { return std::numeric_limits<int>::max(); }
int cpus_of_node() { return std::numeric_limits<int>::max(); }

}  // namespace tutti::runtime
